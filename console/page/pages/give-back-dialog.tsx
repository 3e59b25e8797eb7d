import { Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { giveBackUnderpaymentMutation } from '../generated/operations.js'
import { refusalOf, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { FormDialog } from '../parts/form-dialog.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { useProvenAct } from '../session/use-proven-act.js'

interface GiveBackDialogProps {
  paymentId: string
  /** What came. */
  children: ReactNode
  onDone: () => void
  onClose: () => void
}

/** Gives back what came of an underpaid payment, to a wallet that its payer names. */
export function GiveBackDialog({ paymentId, children, onDone, onClose }: GiveBackDialogProps): ReactNode {
  const t = useText()
  const [wallet, setWallet] = useKeptDraft(`give back ${paymentId}`, () => '')
  const giveBack = useProvenAct(giveBackUnderpaymentMutation)
  const go = (): Promise<Refused | undefined> =>
    refusalOf(giveBack({ input: { paymentId, wallet: wallet.trim() } }), onDone)
  return (
    <FormDialog title={t.payment.giveBack} act={t.payment.giveBack} test="give-back-do" onAct={go} onClose={onClose}>
      {children}
      <Text size="sm">{t.payment.giveBackLead}</Text>
      <TextInput
        label={t.payment.giveBackWallet}
        required
        data-autofocus
        data-test="give-back-wallet"
        value={wallet}
        onChange={(event) => setWallet(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
