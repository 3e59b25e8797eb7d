import { REFUSALS, type RefusalCode } from './refusal.js'

/** Why a payment is in `error`: the codes that are written, each with what it means. */
const ERROR_REASONS = {
  amount_mismatch: 'Another amount was paid; it goes back.',
  attempt_ended: 'The payer has left his wallet for another way to pay.',
  canceled: 'It was canceled.',
  card_token_invalid: "The card's token is not known, was used, or has expired.",
  charge_cancelled: 'The provider removed the charge.',
  charge_expired: 'The charge was not paid in time.',
  charge_taken_back: "The payer's bank took the money back before the receivers were paid.",
  payer_mismatch: "It was paid from another person's account; it goes back.",
  payment_limit_exceeded: 'The period of a subscription is above a limit of its tenant.',
  provider_failed: 'The provider could not carry the charge out.',
  provider_rejected: 'The provider refused the request.',
  provider_unavailable: 'The provider did not answer, and has made no charge.',
  refunded: 'It was given back whole before the receivers were paid.',
  route_failed: "A router's transfer failed.",
  route_partial: 'A router paid in another token. The payer has paid, and the payment takes no other attempt.',
  route_refunded: 'A router gave the money back.',
  transaction_dropped: 'The transaction was never confirmed.',
  transaction_reverted: 'The transaction failed on its chain.',
  transfer_mismatch: 'The transaction moved something else than was asked for.',
  underpaid: "Less than the whole came to the payment's address in time.",
  wallet_refused:
    'A wallet is refused: money has come from it, or it has a part in the period of a subscription, and nothing was charged.',
} as const
export type ErrorReason = keyof typeof ERROR_REASONS

/** Why a payment is in `error` or in `reproved`. */
export const FAILURE_REASONS = { ...ERROR_REASONS, ...REFUSALS } as const
export type FailureReason = keyof typeof FAILURE_REASONS

/** Why a payment is in `error`, or in `reproved` where that is known. */
export interface PaymentFailure {
  /** A `FailureReason`; another one where an older release has written it. */
  code: string
  status: string
  message: string
  details: string | null
}

/** Why a payment is in `error`, as its `data_error` shows it. */
export function paymentFailure<Code extends ErrorReason>(
  code: Code,
  message: string,
  details: string | null = null,
): PaymentFailure & { code: Code } {
  return { code, status: 'error', message, details }
}

/** Why a payment is in `reproved`, as its `data_error` shows it. */
export function paymentRefusal(code: RefusalCode): PaymentFailure {
  return { code, status: 'reproved', message: REFUSALS[code], details: null }
}

/** The reason that a code names; null for one that only an older release knew. */
export function failureReason(code: string): FailureReason | null {
  return Object.hasOwn(FAILURE_REASONS, code) ? (code as FailureReason) : null
}
