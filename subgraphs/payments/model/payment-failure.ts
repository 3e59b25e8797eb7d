/** Why a payment is in `error`. */
export interface PaymentFailure {
  code: string
  status: string
  message: string
  details: string | null
}

/** Why a payment is in `error`, as its `data_error` shows it. */
export function paymentFailure(code: string, message: string, details: string | null = null): PaymentFailure {
  return { code, status: 'error', message, details }
}
