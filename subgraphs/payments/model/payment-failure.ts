import { REFUSALS, type RefusalCode } from './refusal.js'

/** Why a payment is in `error`, or in `reproved` where that is known. */
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

/** Why a payment is in `reproved`, as its `data_error` shows it. */
export function paymentRefusal(code: RefusalCode): PaymentFailure {
  return { code, status: 'reproved', message: REFUSALS[code], details: null }
}
