import { Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { FormDialog } from '../parts/form-dialog.js'
import { useKeptDraft } from '../session/kept-drafts.js'

interface ReasonDialogProps {
  title: string
  lead: string
  /** What it is about, by whose name the reason is kept where the session ends. */
  about: string
  /** What the button says that does it. */
  act: string
  /** What else is chosen. */
  children?: ReactNode
  /** @returns why it was not done */
  onAct: (reason: string) => Promise<Refused | undefined>
  onClose: () => void
}

/** The server's bound. */
const REASON_MAX = 500

/** Asks for the reason of what an operator is about to do; it stays with what was done. */
export function ReasonDialog({ lead, about, children, onAct, ...dialog }: ReasonDialogProps): ReactNode {
  const t = useText()
  const [reason, setReason] = useKeptDraft(`reason ${about}`, () => '')
  return (
    <FormDialog {...dialog} test="do" onAct={() => onAct(reason)}>
      {children}
      <Text size="sm">{lead}</Text>
      <TextInput
        label={t.common.reason}
        description={t.operators.reasonHint}
        required
        maxLength={REASON_MAX}
        data-autofocus
        data-test="reason"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
