import type { RefusalCode } from './refusal.js'

/** `creating`: asked for; `open`: handed to the payer; `paid`: money was accepted; `closed`: takes no money any more. */
export type ChargeState = 'creating' | 'open' | 'paid' | 'closed'

/** A charge as the provider shows it now. */
export interface ChargeView {
  /** `open`: may be paid; `paid`; `refused`: by the provider, for good; `cancelled`: by us; `failed`: for technical reasons. */
  status: 'open' | 'paid' | 'refused' | 'cancelled' | 'failed'
  /** The provider's own word for it. */
  providerStatus: string
  /** When it stops being payable by the provider's account. */
  expiresAt: Date | undefined
  data: ChargeData
  /** Why a refused card was refused. */
  refusal?: RefusalCode | undefined
  /** The card that it was charged to, where the provider keeps it. */
  cardOnFile?: CardOnFile | undefined
  /** Who it was made for, where the provider keeps that. */
  payer?: StoredPayer | undefined
  receivedPayments: readonly ReceivedPayment[]
}

/** Money that came for a charge. */
export interface ReceivedPayment {
  /** The provider's id of the movement, unique for ever. */
  id: string
  amount: string
  at: Date
  refunds: readonly Refund[]
  /** The keyed hash of who paid, as `StoredPayer` has it, where the provider tells it in clear. */
  payerHash?: string | undefined
  /** What the provider took for it, where it says so; a decimal string. */
  fee?: string | undefined
  /** How much was refunded in all, where the provider does not name the refunds that were ordered. */
  refundedAmount?: string | undefined
  /** When the provider has last changed its charge, where that tells a newer answer from an older one. */
  changedAt?: Date | undefined
}

/** Received money on its way back, by our order or by force. */
export interface Refund {
  id: string
  amount: string
  status: 'processing' | 'done' | 'refused'
  /** Not by our order: a chargeback, or the Pix network's special return (MED). */
  forced: boolean
  /** The provider's word for why. */
  reason: string
}

/** `requested`: written down, the provider may not know of it yet. */
export type StoredRefundStatus = 'requested' | Refund['status']

/** What is kept of a charge as the provider shows it; nothing about its payer. */
export type ChargeData = Readonly<Record<string, ChargeValue>>
export type ChargeValue =
  string | number | boolean | null | readonly ChargeValue[] | { readonly [name: string]: ChargeValue }

/** A card that the provider keeps, by the provider's own ids: no card data. */
export interface CardOnFile {
  customerId: string
  cardId: string
  /** What the payer's statements show. */
  statementDescriptor: string | null
}

/** What is stored of a payer. */
export interface StoredPayer {
  masked: string
  hash: string
}
