/** Why a payer is refunded, in the words of the API. */
export const REFUND_REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'other'] as const
export type RefundReason = (typeof REFUND_REASONS)[number]

/** `pending`: on its way; `succeeded`: the payer has it; `failed`: the provider did not give it back, and it may be tried again. */
export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

/** What the store keeps as the reason where none was given. */
export const NO_REASON = 'unspecified'

/** A refund of a payment as its tenant sees it; at the provider it goes by another name. */
export interface PaymentRefund {
  id: string
  tenantId: string
  paymentId: string
  /** A decimal string, in the currency that was charged. */
  amount: string
  currency: string
  status: RefundStatus
  /** Null where none was given, as for those made at the provider. */
  reason: RefundReason | null
  /** It had succeeded until another refund turned out to be what was done: it has failed since. */
  isReplaced?: true
  /** Somebody made it at the provider: nobody has ordered it here. */
  isMadeAtProvider?: true
  createdAt: Date
  updatedAt: Date
}
