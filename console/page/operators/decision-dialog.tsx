import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import type { PayoutAction, PayoutDecisionState } from '../generated/operations.js'
import { refusalOf } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { actionsFor } from './payout-actions.js'
import { ReasonDialog } from './reason-dialog.js'
import type { ShownPayout } from './shown.js'
import { usePayoutAct } from './use-payout-act.js'

interface DecisionDialogProps {
  payout: ShownPayout
  onDone: (state: PayoutDecisionState | undefined) => void
  onClose: () => void
}

/** What becomes of a payout that waits. Whether that can be had the server says, and a worker after it. */
export function DecisionDialog({ payout, onDone, onClose }: DecisionDialogProps): ReactNode {
  const t = useText()
  const { payouts } = t.operators
  const { transactionId, paymentId, splitIndex } = payout
  const about = `payout ${paymentId} ${splitIndex}`
  const actions = actionsFor(payout)
  const [action, setAction] = useKeptDraft<PayoutAction>(`action ${about}`, () => actions[0] ?? 'RELEASE')
  const decide = usePayoutAct()
  const subject = action === 'RELEASE' ? paymentId : (transactionId ?? '')
  return (
    <ReasonDialog
      title={payouts.decide}
      lead={payouts.leads[action]}
      about={about}
      act={payouts.actions[action]}
      onAct={(reason) => refusalOf(decide({ action, subject, reason }), ({ state }) => onDone(state))}
      onClose={onClose}
    >
      <NativeSelect
        label={payouts.action}
        description={<span className="id">{subject}</span>}
        data-test="action"
        value={action}
        onChange={(event) => setAction(event.currentTarget.value as PayoutAction)}
        data={actions.map((value) => ({ value, label: payouts.actions[value] }))}
      />
    </ReasonDialog>
  )
}
