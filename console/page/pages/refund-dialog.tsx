import { Button, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { refundPaymentMutation, type RefundReason } from '../generated/operations.js'
import { useAct, type Refused } from '../graph/use-graph.js'
import { useText } from '../messages/use-text.js'
import { Dialog } from '../parts/dialog.js'
import { Refusal } from '../parts/refusal.js'
import { useProof } from '../session/proof.js'
import type { ShownPayment } from './shown.js'

interface RefundDialogProps {
  payment: ShownPayment
  onDone: () => void
  onClose: () => void
}

/** All that is left, or a part of it. What is too much the server says: it alone knows what was paid out meanwhile. */
export function RefundDialog({ payment, onDone, onClose }: RefundDialogProps): ReactNode {
  const t = useText()
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState<RefundReason>('REQUESTED_BY_CUSTOMER')
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const refund = useAct(refundPaymentMutation)
  const withProof = useProof()
  const go = async (): Promise<void> => {
    setBusy(true)
    const decimal = amount.trim().replace(',', '.')
    const input = { reason, ...(decimal !== '' && { amount: decimal }) }
    const acted = await withProof(() => refund({ id: payment.id, input }))
    setBusy(false)
    setRefused(acted.refused)
    if (!acted.refused) onDone()
  }
  return (
    <Dialog title={t.payment.refundTitle} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        <Stack>
          <TextInput
            label={`${t.payment.refundAmount} (${payment.fromCurrencySymbol})`}
            description={t.payment.refundHint}
            inputMode="decimal"
            pattern="[0-9]+([.,][0-9]+)?"
            data-autofocus
            data-test="refund-amount"
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
          />
          <NativeSelect
            label={t.payment.refundReason}
            data-test="refund-reason"
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value as RefundReason)}
            data={Object.entries(t.reasons).map(([value, label]) => ({ value, label }))}
          />
          <Refusal refused={refused} />
          <Button type="submit" loading={isBusy} data-test="refund-do">
            {t.payment.refundDo}
          </Button>
        </Stack>
      </form>
    </Dialog>
  )
}
