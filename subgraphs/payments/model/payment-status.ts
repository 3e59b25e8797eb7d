import { AppError } from '../../../kernel/errors.js'

export const PAYMENT_STATUSES = ['registered', 'pending', 'success', 'error', 'reproved'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/**
 * The life of a payment. `error` and `reproved` may be tried again; `success` is final. `pending` may follow itself: a
 * transaction that was not broadcast yet is built afresh.
 */
const NEXT: Record<PaymentStatus, readonly PaymentStatus[]> = {
  registered: ['pending'],
  pending: ['pending', 'success', 'error', 'reproved'],
  error: ['pending'],
  reproved: ['pending'],
  success: [],
}

/** Throws `payment_already_processed` where the state machine has no such step. */
export function assertTransition(from: PaymentStatus, to: PaymentStatus): void {
  if (!NEXT[from].includes(to)) throw new AppError('payment_already_processed')
}
