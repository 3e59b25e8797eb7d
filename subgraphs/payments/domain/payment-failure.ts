import type { PaymentFailure } from '../store/payment.entity.js'

/** Why a payment is in `error`, as its `data_error` shows it. */
export function paymentFailure(code: string, message: string, details: string | null = null): PaymentFailure {
  return { code, status: 'error', message, details }
}
