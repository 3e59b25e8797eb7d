import type { RawCard } from '../model/card-input.js'
import type { CardOnFile, ChargeData, ChargeView, ReceivedPayment, Refund, StoredPayer } from '../model/charge.js'
import type { SplitReceiver } from '../../../terms/split.js'
import type { Callback, CallbackItem } from '../model/provider-callback.js'
import type { Payable } from '../store/payables.js'
import type { CreateTransactionInput } from '../model/transaction-input.js'

/** What a rail that charges at a provider can do; amounts are decimal strings in `currency`. */
export interface ProcessorAdapter {
  /** The only currency that the provider charges in, and its decimals; another fiat is converted first. */
  currency: string
  decimals: number
  /** Whether creating a charge takes the money at once, or is refused; otherwise the payer pays it later, or does not. */
  chargesImmediately: boolean
  /** The id under which the provider knows the charge: made of ours, so that asking twice charges once. */
  referenceOf: (paymentId: string, attempt: number) => string
  /** The payment and the attempt that a reference was made of. Absent where what was lost with a database is not taken up. */
  attemptOf?: (reference: string) => { paymentId: string; attempt: number } | undefined
  /** What is stored of the payer: masked for people, and as a keyed hash. */
  payerOf: (input: CreateTransactionInput) => StoredPayer
  /**
   * Asks the provider for a charge. With a reference that was used before, the same charge is given.
   * @throws ProviderError; kind `declined` or `invalid_request` is a refusal, after any other nobody knows
   */
  create: (order: ChargeOrder) => Promise<ChargeView>
  /** Retrieves a charge; undefined where the provider has none. Throws a ProviderError. */
  retrieve: (reference: string) => Promise<ChargeView | undefined>
  /**
   * Money that came, by the provider's id of it, whether or not it came for a charge; undefined where the provider has none.
   * Absent where money only comes for charges. Throws a ProviderError.
   */
  findReceived?: (receiptId: string) => Promise<ListedPayment | undefined>
  /**
   * Money that came in a time, or for charges made in it, page by page; with `isRefundedOnly` only what went back since, also in
   * part. What is listed twice is the same twice. Absent where the provider has no lists. Throws a ProviderError.
   */
  listReceived?: (window: ReceivedWindow) => AsyncIterable<ListedPayment>
  /**
   * What the provider says that it keeps of received payments, of all that changed in a time. Absent where it says so with the
   * payment itself, or not at all. Throws a ProviderError.
   */
  listPayables?: (window: { from: Date; to: Date }) => AsyncIterable<Payable>
  /** What the provider may keep of a charge by its contract, a decimal string; undefined where nobody has said. */
  feeMaxPercent?: string | undefined
  /** To whom it pays the platform's fee of what it shares out by itself; undefined where no fee is taken there. */
  feeRecipient?: string | undefined
  /** Cancels a charge, unless it was paid. Throws a ProviderError. */
  cancel: (reference: string) => Promise<void>
  /**
   * Refunds a received payment, or a part of it. With an id that was used before, nothing is refunded twice, for as long as the
   * provider knows the id.
   * @throws ProviderError; after kind `declined` the provider has no such refund, after any other nobody knows. Kind `conflict` with the code
   *   `REFUND_ID_TAKEN` says that the id was used with another request, or is being used
   */
  refund: (order: RefundOrder) => Promise<RefundAnswer>
  /** How long the provider is sure to know a refund's id again, in milliseconds. Absent where it knows it for good. */
  refundIdLifeMs?: number
  /** What a caller is shown so that the payer can pay; undefined where the payer needs nothing more. */
  show: (data: ChargeData) => Promise<ShownCharge | undefined>
  /**
   * Where the payer has to go before the provider goes on with a charge, by what is stored of it (3-D Secure); undefined where
   * nothing is waited for. Absent where no payer is ever sent anywhere.
   */
  challengeOf?: (data: unknown) => string | undefined
  /** What may be shown of the card that pays, by what is stored of the charge. Absent where no card pays. */
  shownCardOf?: (data: unknown) => ShownCard | undefined
  /** Reads a callback: what it is about, never a proof. Undefined where it is not from the provider. */
  readCallback: (callback: Callback) => readonly CallbackItem[] | undefined
  /** Has the provider call us back. */
  ensureCallbacks: () => Promise<void>
  /**
   * Has the provider keep a card for one use. Throws a ProviderError; kind `declined` is a refusal of the card's fields.
   * Absent where there are no cards.
   */
  tokenize?: (card: RawCard) => Promise<CardToken>
  /** Where browsers have the same done without us. */
  tokenEndpoint?: string
}

/** The code of a refusal to refund under an id that another request has used, or that one uses which is still at work. */
export const REFUND_ID_TAKEN = 'refund_id_taken'

/** Which received payments a provider is asked to list; both ends included. */
export interface ReceivedWindow {
  from: Date
  to: Date
  isRefundedOnly: boolean
}

/** Money that a provider lists, and the reference of its charge; undefined where it came without one. */
export interface ListedPayment {
  reference: string | undefined
  received: ReceivedPayment
}

/** The platform's part of what a provider shares out. */
export interface PlatformFee {
  amount: string
  /** As the provider knows the platform. */
  recipientId: string
}

/** A charge to be made. */
export interface ChargeOrder {
  reference: string
  amount: string
  /** How long it can be paid, in whole seconds. */
  lifeSeconds: number
  input: CreateTransactionInput
  /** Whom the provider shares the money out to; undefined where it stays with us. */
  receivers?: readonly SplitReceiver[] | undefined
  /** What the platform gets of it before them. */
  platformFee?: PlatformFee | undefined
  /** Whether it begins a subscription, or continues one; issuers are told. */
  recurrence?: 'first' | 'subsequent' | undefined
  /** What is charged where the payer is not there; the input says nothing of the payer then. */
  cardOnFile?: CardOnFile | undefined
}

/** What a provider answers to the order of a refund. */
export interface RefundAnswer extends Refund {
  /** Whether the answer shows that the refund was made before, among those that the provider tells in one sum. */
  isAmongDone?: boolean
  /** Whether that was before its order as it is known here, which has been lost and given again. */
  isOfLost?: boolean
}

/** What of a refund a receiver bears. */
export interface ReceiverShare extends SplitReceiver {
  amount: string
}

/** A refund of a received payment to its payer. */
export interface RefundOrder {
  receiptId: string
  /** By what the provider knows the refund: an id of ours. Where its tenant did not order it, the tenant knows it by another. */
  providerRefundId: string
  amount: string
  /** When it was written down, before it was sent for the first time. */
  orderedAt: Date
  /** What was refunded of it before; decimal strings. */
  doneBefore: readonly string[]
  /** Who bears it, where the provider has shared the money out; undefined where it stayed with us, or all of it is refunded at once. */
  receivers?: readonly ReceiverShare[] | undefined
  /** What of it the platform gives back of its fee. */
  platformFee?: PlatformFee | undefined
}

/** What a payer needs to pay an instant transfer. */
export interface ShownCharge {
  status: string
  pixKey: string
  txid: string
  pixCopiaECola: string
  pixQrCodeDataUrl: string
  calendar: { criacao: Date; expiracao: number }
}

/** What a receipt shows of a card. */
export interface ShownCard {
  brand: string | null
  lastFourDigits: string
  holderName: string | null
}

/** A card at the provider's, for one use within a minute. */
export interface CardToken {
  id: string
  createdAt: Date
  expiresAt: Date
  card: {
    firstSixDigits: string
    lastFourDigits: string
    holderName: string
    brand: string
    expMonth: number
    expYear: number
  }
}
