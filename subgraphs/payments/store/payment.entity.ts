import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import type { PaymentFailure } from '../model/payment-failure.js'
import type { PaymentStatus } from '../model/payment-status.js'
import type { PaymentMethods } from '../../../terms/methods.js'
import type { SplitReceiver } from '../../../terms/split.js'
import type { SubscriptionConfig } from '../model/subscription.js'
import type { TransactionType } from '../model/transaction-type.js'
import type { UnsignedTransaction } from '../model/unsigned-transaction.js'

/** What is set when a payment is registered, and stays. */
const terms = {
  executorId: p.string(),
  orderCode: p.string().nullable(),
  /** The order's event that left it as the payment took it over; null for payments without an order, and from before this was kept. */
  orderSequence: p.integer().nullable(),
  publicClientId: p.string().nullable(),
  webhookUrl: p.string().nullable(),
  paymentMethodAllowed: p.json<PaymentMethods>(),
  splitPaymentConfig: p.json<SplitReceiver[]>(),
  gatewayMethod: p.string().$type<'direct' | 'subs'>(),
  fromCurrencySymbol: p.string(),
  amountFrom: p.string(),
  toCurrencySymbol: p.string(),
  toChain: p.string().nullable(),
  onRamp: p.boolean(),
  /** How the subscription continues that this payment begins; null for all others, periods included. */
  subscriptionConfig: p.json<SubscriptionConfig>().nullable(),
}

/** What a caller notes about a payment when it is registered: each may be absent, and decides nothing. */
const notes = {
  metadata: p.json<unknown>().nullable(),
  /** Where the payment page sends the payer back to: once it is paid, and before that. */
  successUrl: p.string().nullable(),
  cancelUrl: p.string().nullable(),
}

/** What changes afterwards: empty at registration, and the history holds each change. */
const progress = {
  amountTo: p.string().nullable(),
  transactionType: p.string().$type<TransactionType>().nullable(),
  payerEmail: p.string().nullable(),
  payerWallet: p.string().nullable(),
  payerTokenSymbol: p.string().nullable(),
  payerCpf: p.string().nullable(),
  chainName: p.string().nullable(),
  unsignedTransaction: p.json<UnsignedTransaction>().nullable(),
  /** Which contract the split's address is of that the payer pays, see `SplitVersion`; null: the first, or no split. */
  splitVersion: p.integer().nullable(),
  signedTransaction: p.text().nullable(),
  tidHash: p.string().nullable(),
  globalPaymentData: p.json<unknown>().nullable(),
  dataError: p.json<PaymentFailure>().nullable(),
  quoteId: p.string().nullable(),
  /** What the payer got back, in the currency that was charged; null where that is nothing. */
  refundedAmount: p.string().nullable(),
  /** What has come to the payment's own address, in its token; null where nothing has. */
  receivedAmount: p.string().nullable(),
  /** What came beyond what was due; the receivers got it too. */
  overpaidAmount: p.string().nullable(),
  /** Whether the whole came only after the price had run out; null for payments that were not paid at an address. */
  late: p.boolean().nullable(),
  /** The charge that the payer is asked to pay, on rails that charge. */
  chargeId: p.string().nullable(),
}

/**
 * A payment's columns. Types, selects, the registration and the history's changes follow from this list; lists and jobs
 * whose conditions name a column spell it in their SQL.
 */
const properties = {
  tenantId: p.string().primary(),
  id: p.string().primary(),
  status: p.string().$type<PaymentStatus>(),
  sequence: p.integer(),
  ...terms,
  ...notes,
  ...progress,
  createdAt: p.datetime(3),
  updatedAt: p.datetime(3),
}

export const PAYMENT_PROPERTIES = Object.keys(properties) as (keyof typeof properties)[]

/** One payment of a tenant: what was asked for, and where it stands. */
export const PaymentEntity = defineEntity({ name: 'Payment', tableName: 'payment', properties })
export type Payment = InferEntity<typeof PaymentEntity>

/**
 * What lists show of a payment: short texts and numbers. The others may be long, and the database would write them into each
 * answer for nobody.
 */
export const LISTED_PROPERTIES = [
  ...(['tenantId', 'id', 'status', 'sequence', 'orderCode', 'transactionType', 'gatewayMethod', 'onRamp'] as const),
  ...(['fromCurrencySymbol', 'amountFrom', 'toCurrencySymbol', 'amountTo', 'toChain', 'chainName'] as const),
  ...(['payerEmail', 'payerWallet', 'payerTokenSymbol', 'tidHash', 'quoteId', 'createdAt', 'updatedAt'] as const),
]

export type ListedProperty = (typeof LISTED_PROPERTIES)[number]

/** A payment as lists show it. */
export type ListedPayment = Pick<Payment, ListedProperty>

export type PaymentNotes = Partial<Pick<Payment, keyof typeof notes>>

/** The columns that a registration says; the others are as in `AT_REGISTRATION`. */
export const NEW_PAYMENT_PROPERTIES = [
  ...(['tenantId', 'id', 'createdAt'] as const),
  ...(Object.keys(terms) as (keyof typeof terms)[]),
  ...(Object.keys(notes) as (keyof typeof notes)[]),
]

/** A payment as it is registered. */
export type NewPayment = Omit<Pick<Payment, (typeof NEW_PAYMENT_PROPERTIES)[number]>, keyof PaymentNotes> & PaymentNotes

/** A change of the columns that change after registration. */
export type PaymentChange = Partial<Pick<Payment, 'status' | keyof typeof progress>>

/** The columns of a `PaymentChange`. */
export const CHANGING_PROPERTIES = ['status', ...Object.keys(progress)] as readonly (keyof PaymentChange)[]

/** What these columns hold right after registration: the ground on which the history's changes are laid. */
export const AT_REGISTRATION = { ...nullEach(progress), status: 'registered' } as Readonly<Required<PaymentChange>>

/** The notes of a payment about which nothing was noted. */
export const NO_NOTES = nullEach(notes) as Readonly<Required<PaymentNotes>>

function nullEach(columns: object): Record<string, null> {
  return Object.fromEntries(Object.keys(columns).map((property) => [property, null]))
}

/** One entry of a payment's history: never changed, never removed. */
export const PaymentEventEntity = defineEntity({
  name: 'PaymentEvent',
  tableName: 'payment_event',
  properties: {
    tenantId: p.string().primary(),
    paymentId: p.string().primary(),
    sequence: p.integer().primary(),
    /** `payment.<status>`; tenants are told of it when `notify` is set. */
    type: p.string(),
    /** What caused it, for people: `transaction_created`, `payer_paid`, `receivers_paid`, … */
    cause: p.string(),
    change: p.json<PaymentChange>(),
    notify: p.boolean(),
    createdAt: p.datetime(3),
  },
})
export type PaymentEvent = InferEntity<typeof PaymentEventEntity>
