import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { setTenantFeesMutation, type Rail } from '../generated/operations.js'
import { refusalOf } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Section } from '../parts/section.js'
import { DataTable } from '../parts/table.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { useRails } from './rails.js'
import { TermsForm, type TenantTermsProps } from './terms-form.js'
import { decimalOf } from '../pages/order-draft.js'

const EMPTY = { rail: 'PIX', percent: '0', fixed: '0', spreadPercent: '0' }

/** What the platform takes of a tenant's payments. */
export function TenantFees({ terms, tenantId, onChange }: TenantTermsProps): ReactNode {
  const t = useText()
  const texts = t.operators.tenants
  const rails = useRails()
  const set = useProvenAct(setTenantFeesMutation)
  return (
    <Section title={texts.fees} test="fees">
      <DataTable
        label={texts.fees}
        rows={terms.fees}
        keyOf={({ rail }) => rail}
        nothing={<Text size="sm">{texts.noFees}</Text>}
        columns={[
          { name: texts.rail, show: ({ rail }) => rails.nameOf(rail) },
          { name: texts.percent, isAmount: true, show: ({ percent }) => `${percent} %` },
          { name: texts.fixed, isAmount: true, show: ({ fixed }) => fixed },
          { name: texts.spread, isAmount: true, show: ({ spreadPercent }) => `${spreadPercent} %` },
        ]}
      />
      <TermsForm
        test="set-fees"
        tenantId={tenantId}
        initial={EMPTY}
        fields={[
          { name: 'rail', label: texts.rail, choices: rails.choices },
          { name: 'percent', label: texts.percent, required: true },
          { name: 'fixed', label: texts.fixed, required: true },
          { name: 'spreadPercent', label: texts.spread, required: true },
        ]}
        onSave={({ rail, percent, fixed, spreadPercent }) => {
          const amounts = {
            percent: decimalOf(percent),
            fixed: decimalOf(fixed),
            spreadPercent: decimalOf(spreadPercent),
          }
          return refusalOf(set({ input: { tenantId, rail: rail as Rail, ...amounts } }), onChange)
        }}
      />
    </Section>
  )
}
