import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { giveBackUnderpaymentMutation } from '../generated/operations.js'
import type { Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Dialog } from '../parts/dialog.js'
import { Refusal } from '../parts/refusal.js'
import { useProvenAct } from '../session/use-proven-act.js'

interface GiveBackDialogProps {
  paymentId: string
  onDone: () => void
  onClose: () => void
}

/** Gives back what came of an underpaid payment, to a wallet that its payer names. */
export function GiveBackDialog({ paymentId, onDone, onClose }: GiveBackDialogProps): ReactNode {
  const t = useText()
  const [wallet, setWallet] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const giveBack = useProvenAct(giveBackUnderpaymentMutation)
  const go = async (): Promise<void> => {
    setBusy(true)
    const acted = await giveBack({ input: { paymentId, wallet: wallet.trim() } })
    setBusy(false)
    setRefused(acted.refused)
    if (!acted.refused) onDone()
  }
  return (
    <Dialog title={t.payment.giveBack} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <Stack>
          <Text size="sm">{t.payment.giveBackLead}</Text>
          <TextInput
            label={t.payment.giveBackWallet}
            required
            data-autofocus
            data-test="give-back-wallet"
            value={wallet}
            onChange={(event) => setWallet(event.currentTarget.value)}
          />
          <Refusal refused={refused} />
          <Button type="submit" loading={isBusy} data-test="give-back-do">
            {t.payment.giveBack}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
