import { createHash } from 'node:crypto'
import { compare } from '../../../kernel/money.js'
import type { ChargeState, ReceivedPayment, StoredRefundStatus } from './charge.js'
import type { PaymentStatus } from './payment-status.js'

/** Why money is not taken for a payment but refunded. */
export type RefundReason = 'amount_mismatch' | 'paid_late' | 'paid_twice' | 'charge_replaced'

/**
 * Whether money that came for a charge pays its payment. Only the exact amount does, in time, for the charge that the
 * payment waits for now; what comes besides is refunded whole, because the rate of a lapsed quote holds no more. Money in
 * time for a charge that was closed meanwhile is `paid_late` too: its quote has lapsed with it.
 * @param isPaid whether money was accepted for the payment before, for whichever of its charges
 * @returns undefined where it does
 */
export function refundReasonOf(
  payment: { status: PaymentStatus; chargeId?: string | null | undefined },
  charge: { id: string; state: ChargeState; amount: string; expiresAt: Date },
  received: ReceivedPayment,
  isPaid: boolean,
): RefundReason | undefined {
  if (isPaid) return 'paid_twice'
  if (received.at > charge.expiresAt) return 'paid_late'
  if (payment.status !== 'pending' || payment.chargeId !== charge.id) {
    return charge.state === 'closed' ? 'paid_late' : 'charge_replaced'
  }
  return compare(received.amount, charge.amount) === 0 ? undefined : 'amount_mismatch'
}

/** The id of the refund of a received payment: one each, and the same after a crash. At most 35 letters and digits. */
export function refundIdOf(receiptId: string): string {
  return `r${createHash('sha256').update(receiptId).digest('hex').slice(0, 30)}`
}

/** Whether a refund has come to its end. */
export function isRefundOver({ status }: { status: StoredRefundStatus }): boolean {
  return status === 'done' || status === 'refused'
}
