import { createHash } from 'node:crypto'
import { compare } from '../../../kernel/money.js'
import type { Receipt } from '../rails/charge-desk.js'
import type { Charge, StoredReturn } from '../store/charge.entity.js'
import type { Payment } from '../store/payment.entity.js'

/** Why money is not taken for a payment but given back. */
export type ReturnReason = 'amount_mismatch' | 'paid_late' | 'paid_twice' | 'charge_replaced'

/**
 * Whether money that came for a charge pays its payment. Only the exact amount does, in time, for the charge that the
 * payment waits for now; what comes besides is given back whole, because the rate of a lapsed quote holds no more.
 * @param isPaid whether money was taken for the payment before, for whichever of its charges
 * @returns undefined where it does
 */
export function refusalOf(
  payment: Payment,
  charge: Charge,
  receipt: Receipt,
  isPaid: boolean,
): ReturnReason | undefined {
  if (isPaid) return 'paid_twice'
  if (receipt.at > charge.expiresAt) return 'paid_late'
  if (payment.status !== 'pending' || payment.chargeId !== charge.id) {
    return charge.state === 'closed' ? 'paid_late' : 'charge_replaced'
  }
  return compare(receipt.amount, charge.amount) === 0 ? undefined : 'amount_mismatch'
}

/** The id of the return of a receipt: one each, and the same after a crash. At most 35 letters and digits. */
export function returnIdOf(receiptId: string): string {
  return `r${createHash('sha256').update(receiptId).digest('hex').slice(0, 30)}`
}

/** Whether a return has come to its end. */
export function isReturnOver({ status }: StoredReturn): boolean {
  return status === 'done' || status === 'refused'
}
