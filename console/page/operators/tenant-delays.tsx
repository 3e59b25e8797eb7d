import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { setPayoutDelayMutation, type Rail } from '../generated/operations.js'
import { refusalOf } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Section } from '../parts/section.js'
import { Terms } from '../parts/terms.js'
import { useProvenAct } from '../session/use-proven-act.js'
import { useRails } from './rails.js'
import { TermsForm, type TenantTermsProps } from './terms-form.js'

const EMPTY = { rail: 'PIX', hours: '0' }

/** How long a tenant's receivers wait after a payer has paid. */
export function TenantDelays({ terms, tenantId, onChange }: TenantTermsProps): ReactNode {
  const t = useText()
  const texts = t.operators.tenants
  const rails = useRails()
  const set = useProvenAct(setPayoutDelayMutation)
  return (
    <Section title={texts.delay} test="delays">
      {terms.delays.length === 0 && <Text size="sm">{texts.noDelays}</Text>}
      {terms.delays.length > 0 && (
        <Terms of={terms.delays.map(({ rail, hours }) => [rails.nameOf(rail), `${hours} h`])} />
      )}
      <TermsForm
        test="set-delay"
        tenantId={tenantId}
        initial={EMPTY}
        fields={[
          { name: 'rail', label: texts.rail, choices: rails.choices },
          { name: 'hours', label: texts.hours, required: true },
        ]}
        onSave={({ rail, hours }) => refusalOf(set({ tenantId, rail: rail as Rail, hours: Number(hours) }), onChange)}
      />
    </Section>
  )
}
