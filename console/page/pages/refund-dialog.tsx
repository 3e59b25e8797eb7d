import { NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { refundPaymentMutation, type RefundReason } from '../generated/operations.js'
import { refusalOf, type Refused } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { decimalsOfCurrency, money } from '../parts/format.js'
import { FormDialog } from '../parts/form-dialog.js'
import { useKeptDraft } from '../session/kept-drafts.js'
import { useProvenAct } from '../session/use-proven-act.js'
import type { ShownPayment } from './shown.js'

/**
 * Why no refund can be of that amount, whatever is left of the payment: the server asks for a proof before it looks at the amount.
 * @param amount a decimal
 * @param currency the one that was charged; null where that is not known
 */
function refusedAmount(amount: string, currency: string | null): Refused | undefined {
  const refused = (message: string): Refused => ({ code: 'VALIDATION_ERROR', field: 'amount', message })
  if (!/[1-9]/.test(amount)) return refused('must be above 0')
  const most = currency === null ? undefined : decimalsOfCurrency(currency)
  const decimals = amount.split('.')[1]?.length ?? 0
  return most !== undefined && decimals > most ? refused(`must not have more than ${most} decimals`) : undefined
}

interface RefundDialogProps {
  payment: ShownPayment
  onDone: () => void
  onClose: () => void
}

/** All that is left, which it says, or a part of it. What somebody else has refunded meanwhile the server says. */
export function RefundDialog({ payment, onDone, onClose }: RefundDialogProps): ReactNode {
  const t = useText()
  const [amount, setAmount] = useKeptDraft(`refund ${payment.id}`, () => '')
  const [reason, setReason] = useKeptDraft<RefundReason>(`refund reason ${payment.id}`, () => 'REQUESTED_BY_CUSTOMER')
  const { language } = useLanguage()
  const { refundedCurrency: currency, refundableAmount } = payment
  const left = currency === null || refundableAmount === null ? null : money(refundableAmount, currency, language)
  const refund = useProvenAct(refundPaymentMutation)
  const go = async (): Promise<Refused | undefined> => {
    const decimal = amount.trim().replace(',', '.')
    const impossible = decimal === '' ? undefined : refusedAmount(decimal, currency)
    if (impossible) return impossible
    const input = { reason, ...(decimal !== '' && { amount: decimal }) }
    return refusalOf(refund({ id: payment.id, input }), onDone)
  }
  return (
    <FormDialog title={t.payment.refundTitle} act={t.payment.refund} test="refund-do" onAct={go} onClose={onClose}>
      <TextInput
        label={currency === null ? t.common.amount : `${t.common.amount} (${currency})`}
        description={left === null ? t.payment.refundHint : `${t.payment.refundLeft}: ${left}. ${t.payment.refundHint}`}
        inputMode="decimal"
        pattern="[0-9]+([.,][0-9]+)?"
        data-autofocus
        data-test="refund-amount"
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <NativeSelect
        label={t.common.reason}
        data-test="refund-reason"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value as RefundReason)}
        data={Object.entries(t.reasons).map(([value, label]) => ({ value, label }))}
      />
    </FormDialog>
  )
}
