import { Button, Group, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { setToleranceMutation } from '../generated/operations.js'
import { refusalOf } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { decimalOf } from '../pages/order-draft.js'
import { Form } from '../parts/form.js'
import { Refusal } from '../parts/refusal.js'
import { Said } from '../parts/said.js'
import { Section } from '../parts/section.js'
import { useSubmit } from '../parts/use-submit.js'
import { Allowed, useMay } from '../session/allowed.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { useProvenAct } from '../session/use-proven-act.js'

/** How much less than what is due a wallet may send to a payment's address. @param percent as it is now */
export function Tolerance({ percent, onChange }: { percent: string; onChange: () => void }): ReactNode {
  const t = useText()
  const [typed, setTyped] = useKeptDraft('tolerance', () => percent)
  const may = useMay()
  const set = useProvenAct(setToleranceMutation)
  const { submit, isBusy, refused, isDone } = useSubmit(() => refusalOf(set({ percent: decimalOf(typed) }), onChange))
  return (
    <Section title={t.settings.tolerance} test="tolerance-section">
      <Text size="sm">{t.settings.toleranceLead}</Text>
      <Form onSubmit={submit}>
        <Group align="end">
          <TextInput
            label={t.settings.tolerancePercent}
            required
            readOnly={!may(setToleranceMutation)}
            inputMode="decimal"
            data-test="tolerance"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Allowed act={setToleranceMutation}>
            <Button type="submit" variant="default" loading={isBusy} data-test="tolerance-save">
              {t.common.save}
            </Button>
          </Allowed>
        </Group>
      </Form>
      <Refusal refused={refused} />
      <Said text={isDone ? t.operators.tenants.saved : undefined} />
    </Section>
  )
}
