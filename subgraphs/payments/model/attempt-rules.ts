import { AppError } from '../../../kernel/errors.js'
import type { PaymentFailure } from './payment-failure.js'
import { assertTransition, type PaymentStatus } from './payment-status.js'
import type { TransactionType } from './transaction-type.js'

/** The failure of a payment whose money was taken back by force. */
export const TAKEN_BACK = 'charge_taken_back'
/** The failure of a payment that its tenant has canceled. */
export const CANCELED = 'canceled'

/** The failure of a payment whose payer got the money back before any receiver was paid. */
export const REFUNDED = 'refunded'

/** The failure of a payment whose router has delivered another token: receivers have its worth, or their split's address. */
const ROUTE_PARTIAL = 'route_partial'

/** An error after which no attempt starts. */
export const FINAL_ERRORS: readonly string[] = [TAKEN_BACK, CANCELED, REFUNDED, ROUTE_PARTIAL]

/** Whether a payment has ended without success for good: it takes no money any more. */
export function takesNoMoney({ status, dataError }: Pick<Attempted, 'status' | 'dataError'>): boolean {
  return status === 'error' && FINAL_ERRORS.includes(dataError?.code ?? '')
}

/** What of a payment decides whether an attempt may start. */
interface Attempted {
  status: PaymentStatus
  dataError?: PaymentFailure | null | undefined
  transactionType?: TransactionType | null | undefined
  signedTransaction?: string | null | undefined
  receivedAmount?: string | null | undefined
}

/**
 * Whether an attempt may start now. While one waits for its payer only the same kind may take its place: two kinds at
 * once could both be paid, so a charge of another kind is ended first. A signed transaction that was handed to the chain cannot be taken back. A payment that was paid
 * takes no money again, also after that was taken back by force: it has its received payment and its payouts, and some receivers
 * may have been paid. One that its tenant has canceled stays canceled, and one that a router has paid in another token is a
 * person's to settle.
 * @throws payment_already_processed where it may not
 */
export function assertMayStart(payment: Attempted, type: TransactionType): void {
  assertTransition(payment.status, 'pending')
  if (takesNoMoney(payment)) throw new AppError('payment_already_processed')
  // The rest of it is waited for at its address, or its tenant decides.
  if (payment.receivedAmount) throw new AppError('payment_already_processed')
  if (payment.status !== 'pending') return
  if (payment.transactionType !== type || payment.signedTransaction) throw new AppError('payment_already_processed')
}

/** How long a history may be before no further attempt starts: each adds an entry, and a price, for good. */
const HISTORY_MAX = 100
/** What an attempt of ours adds to it at most: it begins, its charge changes, and it ends. */
const ENTRIES_OF_OURS = 4

/**
 * Throws payment_already_processed where a payment was started about a hundred times: the next would not be the one.
 * @param ours how often its subscription has tried to charge it, which takes nothing from its payer
 */
export function assertNotWornOut({ sequence }: { sequence: number }, ours: number): void {
  if (sequence < HISTORY_MAX + ours * ENTRIES_OF_OURS) return
  throw new AppError('payment_already_processed', {
    message: 'The payment has had too many transactions; register another one.',
  })
}

/** How long the history of a payment is once its charge is removed, so that another attempt can take its place. */
export function afterRemoval({ sequence }: { sequence: number }): { sequence: number } {
  return { sequence: sequence + 1 }
}
