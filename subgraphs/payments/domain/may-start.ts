import { AppError } from '../../../kernel/errors.js'
import type { Payment } from '../store/payment.entity.js'
import { assertTransition } from './payment-status.js'
import type { TransactionType } from './transaction-type.js'

/** The failure of a payment whose money was taken back by force. */
export const TAKEN_BACK = 'charge_taken_back'

/**
 * Whether an attempt may start now. While one waits for its payer only the same kind may take its place: two kinds at
 * once could both be paid. A signed transaction that was handed to the chain cannot be taken back. A payment that was paid
 * takes no money again, also after that was taken back by force: it has its receipt and its payouts, and some receivers
 * may have been paid.
 * @throws payment_already_processed where it may not
 */
export function assertMayStart(payment: Payment, type: TransactionType): void {
  assertTransition(payment.status, 'pending')
  if (payment.status === 'error' && payment.dataError?.code === TAKEN_BACK) {
    throw new AppError('payment_already_processed')
  }
  if (payment.status !== 'pending') return
  if (payment.transactionType !== type || payment.signedTransaction) throw new AppError('payment_already_processed')
}

/** How long a history may be before no further attempt starts: each adds an entry, and a price, for good. */
const HISTORY_MAX = 100

/** Throws payment_already_processed where a payment was started about a hundred times: the next would not be the one. */
export function assertNotWornOut({ sequence }: Payment): void {
  if (sequence < HISTORY_MAX) return
  throw new AppError('payment_already_processed', {
    message: 'The payment has had too many transactions; register another one.',
  })
}
