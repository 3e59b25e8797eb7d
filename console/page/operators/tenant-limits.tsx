import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { setTenantLimitsMutation } from '../generated/operations.js'
import { refusalOf } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { decimalOf } from '../pages/order-draft.js'
import { money } from '../parts/format.js'
import { Section } from '../parts/section.js'
import { DataTable } from '../parts/table.js'
import { useProvenAct } from '../session/use-proven-act.js'
import type { ShownTerms } from './shown.js'
import { TermsForm, type TenantTermsProps } from './terms-form.js'

const EMPTY = { currency: 'BRL', perPayment: '', perPayerDay: '', perTenantDay: '' }
const BOUNDS = ['perPayment', 'perPayerDay', 'perTenantDay'] as const

/** What a tenant's payments may be. */
export function TenantLimits({ terms, tenantId, onChange }: TenantTermsProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.operators.tenants
  const set = useProvenAct(setTenantLimitsMutation)
  const limit = (typed: string): string | null => (typed.trim() === '' ? null : decimalOf(typed))
  return (
    <Section title={texts.limits} test="limits">
      <DataTable
        label={texts.limits}
        rows={terms.limits}
        keyOf={({ currency }) => currency}
        nothing={<Text size="sm">{texts.noLimits}</Text>}
        columns={[
          { name: t.common.currency, show: ({ currency }) => currency },
          ...BOUNDS.map((name) => ({
            name: texts[name],
            isAmount: true,
            show: ({ currency, [name]: bound }: ShownTerms['limits'][number]) =>
              bound === null ? '–' : money(bound, currency, language),
          })),
        ]}
      />
      <TermsForm
        test="set-limits"
        tenantId={tenantId}
        initial={EMPTY}
        hint={texts.limitsHint}
        fields={[
          { name: 'currency', label: t.common.currency, required: true },
          ...BOUNDS.map((name) => ({ name, label: texts[name] })),
        ]}
        onSave={({ currency, perPayment, perPayerDay, perTenantDay }) => {
          const bounds = {
            perPayment: limit(perPayment),
            perPayerDay: limit(perPayerDay),
            perTenantDay: limit(perTenantDay),
          }
          const input = { tenantId, currency: currency.trim().toUpperCase(), ...bounds }
          return refusalOf(set({ input }), onChange)
        }}
      />
    </Section>
  )
}
