import type { RawCard } from '../domain/card-input.js'
import type { CreateTransactionInput } from '../domain/create-transaction.js'
import type { SplitReceiver } from '../store/payment.entity.js'

/** What a rail that charges at a provider can do; amounts are decimal strings in `currency`. */
export interface ChargeDesk {
  /** The only currency that the provider charges in, and its decimals; another fiat is converted first. */
  currency: string
  decimals: number
  /** Whether creating a charge takes the money at once, or is refused; otherwise the payer pays it later, or does not. */
  chargesAtOnce: boolean
  /** The id under which the provider knows the charge: made of ours, so that asking twice charges once. */
  referenceOf: (paymentId: string, attempt: number) => string
  /** What is stored of the payer: masked for people, and as a keyed hash. */
  payerOf: (input: CreateTransactionInput) => StoredPayer
  /**
   * Asks the provider for a charge. With a reference that was used before, the same charge is given.
   * @throws ProviderError; kind `declined` or `invalid_request` is a refusal, after any other nobody knows
   */
  create: (order: ChargeOrder) => Promise<ChargeView>
  /** Asks where a charge is; undefined where the provider has none. Throws a ProviderError. */
  look: (reference: string) => Promise<ChargeView | undefined>
  /** Sees to it that nobody can pay a charge any more, unless somebody has. Throws a ProviderError. */
  cancel: (reference: string) => Promise<void>
  /** Gives a receipt back, whole. With an id that was used before, nothing is given twice. Throws a ProviderError. */
  giveBack: (order: ReturnOrder) => Promise<ReceiptReturn>
  /** What a caller is shown so that the payer can pay; undefined where the payer needs nothing more. */
  show: (data: ChargeData) => Promise<ShownCharge | undefined>
  /** Reads a callback: what it is about, never a proof. Undefined where it is not from the provider. */
  readCallback: (callback: Callback) => readonly CallbackItem[] | undefined
  /** Sees to it that the provider calls us back. */
  ensureCallbacks: () => Promise<void>
  /**
   * Has the provider keep a card for one use. Throws a ProviderError; kind `declined` is a refusal of the card's fields.
   * Absent where there are no cards.
   */
  tokenize?: (card: RawCard) => Promise<CardToken>
}

/** What is stored of a payer. */
export interface StoredPayer {
  masked: string
  hash: string
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
  /** Whether it begins a subscription, or goes on with one; issuers are told. */
  recurrence?: 'first' | 'subsequent' | undefined
  /** What is charged where the payer is not there; the input says nothing of the payer then. */
  cardOnFile?: CardOnFile | undefined
}

/** A card that the provider keeps, by the provider's own ids: no card data. */
export interface CardOnFile {
  customerId: string
  cardId: string
  /** What the payer's statements show. */
  statementDescriptor: string | null
}

/** A return of a receipt to its payer. */
export interface ReturnOrder {
  receiptId: string
  returnId: string
  amount: string
}

/** What is kept of a charge as the provider shows it; nothing about its payer. */
export type ChargeData = Readonly<Record<string, ChargeValue>>
export type ChargeValue =
  string | number | boolean | null | readonly ChargeValue[] | { readonly [name: string]: ChargeValue }

/** A charge as the provider shows it now. */
export interface ChargeView {
  /** `open`: may be paid; `paid`; `refused`: by the provider, for good; `cancelled`: by us; `failed`: for technical reasons. */
  status: 'open' | 'paid' | 'refused' | 'cancelled' | 'failed'
  /** The provider's own word for it. */
  providerStatus: string
  /** When it stops being payable by the provider's account. */
  expiresAt: Date | undefined
  data: ChargeData
  /** The card that it was charged to, where the provider keeps it. */
  cardOnFile?: CardOnFile | undefined
  receipts: readonly Receipt[]
}

/** Money that came for a charge. */
export interface Receipt {
  /** The provider's id of the movement, unique for ever. */
  id: string
  amount: string
  at: Date
  returns: readonly ReceiptReturn[]
}

/** Money of a receipt on its way back, by our order or by force. */
export interface ReceiptReturn {
  id: string
  amount: string
  status: 'processing' | 'done' | 'refused'
  /** Not by our order: a chargeback, or the Pix network's special return (MED). */
  forced: boolean
  /** The provider's word for why. */
  reason: string
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

/** A request to our callback address, as it came. */
export interface Callback {
  /** What follows `/callbacks/<rail>/` in its path. */
  path: string
  /** The header of that name. */
  authorization?: string | null | undefined
  body: string
}

/** One thing that a callback tells of. */
export interface CallbackItem {
  /** The same thing told again has the same key. */
  eventKey: string
  /** The item's part of the body. */
  content: string
  /** Which charge to ask the provider about, where the item says so. */
  reference: string | undefined
  /** The movement it is about; the provider's answer should show it. */
  receiptId: string | undefined
}

/** A card at the provider's, for one use within a minute. */
export interface CardToken {
  id: string
  type: string
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
