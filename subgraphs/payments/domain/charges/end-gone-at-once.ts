import { compare, sum } from '../../../../kernel/money.js'
import { REFUNDED, TAKEN_BACK } from '../../model/attempt-rules.js'
import { paymentFailure } from '../../model/payment-failure.js'
import type { PaymentChange } from '../../store/payment.entity.js'
import { isSharedByProvider, type Application } from './application.js'

/**
 * The change by which a payment ends whose money its provider shares out, and shows as gone by the very look that shows it as paid:
 * nobody was told of a success yet, and who ships on one must not. Undefined where a part of the money is left; what goes after the
 * success leaves it one.
 */
export function endGoneAtOnce(application: Application): PaymentChange | undefined {
  const { receivedPayments, refunds } = application.record
  const accepted = receivedPayments.find(({ outcome }) => outcome === 'accepted')
  if (!accepted || application.change.status !== 'success' || !isSharedByProvider(application)) return undefined
  const gone = refunds.filter(({ receiptId, status }) => receiptId === accepted.id && status === 'done')
  if (compare(sum(gone.map(({ amount }) => amount)), accepted.amount) < 0) return undefined
  const failure = gone.some(({ forced }) => forced)
    ? paymentFailure(TAKEN_BACK, 'The provider took the money back before the payment had succeeded.')
    : paymentFailure(REFUNDED, 'The payer was refunded before the payment had succeeded.')
  return { status: 'error', dataError: failure }
}
