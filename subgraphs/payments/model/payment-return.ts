import { RETURN_REASONS, type ReturnReason } from './refund-rules.js'

/** `pending`: it is to go back, or on its way; `succeeded`: who paid has it; `failed`: the provider has not given it back. */
export type PaymentReturnStatus = 'pending' | 'succeeded' | 'failed'

/** Money that came for a payment, was not taken for it, and goes back to who paid it: by itself, or by somebody at the provider. */
export interface PaymentReturn {
  id: string
  tenantId: string
  paymentId: string
  /** A decimal string, in `currency`. */
  amount: string
  currency: string
  status: PaymentReturnStatus
  reason: ReturnReason | 'other'
  /** The provider's id of the money that came. */
  receiptId: string
  /** Its id at the provider; null before the provider was asked for it. */
  reference: string | null
  createdAt: Date
  updatedAt: Date
}

/** Why money goes back, from its stored word: an older release may have known others. */
export function returnReasonIn(word: string | null): PaymentReturn['reason'] {
  return RETURN_REASONS.find((reason) => reason === word) ?? 'other'
}
