/** `pending`: the provider decides; `taken_back`: the payer has the money; `won`: it came back. */
export type DisputeStatus = 'pending' | 'taken_back' | 'won'

/** Money of a payment that was taken back without our order: a chargeback, or the Pix network's special return. */
export interface Dispute {
  id: string
  tenantId: string
  paymentId: string
  /** A decimal string, in `currency`. */
  amount: string
  currency: string
  status: DisputeStatus
  /** The provider's word for why. */
  reason: string
  createdAt: Date
  updatedAt: Date
}
