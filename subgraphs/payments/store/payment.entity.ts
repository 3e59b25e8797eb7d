import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import type { PaymentFailure } from '../model/payment-failure.js'
import type { PaymentStatus } from '../model/payment-status.js'
import type { PaymentMethods } from '../../../terms/methods.js'
import type { SplitReceiver } from '../../../terms/split.js'
import type { SubscriptionConfig } from '../model/subscription.js'
import type { TransactionType } from '../model/transaction-type.js'
import type { UnsignedTransaction } from '../model/unsigned-transaction.js'

/** A payment's columns; the statements of `payment-rows.ts` follow from them. */
export const PAYMENT_COLUMNS = {
  tenantId: p.string().primary(),
  id: p.string().primary(),
  status: p.string().$type<PaymentStatus>(),
  sequence: p.integer(),
  executorId: p.string(),
  orderCode: p.string().nullable(),
  publicClientId: p.string().nullable(),
  webhookUrl: p.string().nullable(),
  paymentMethodAllowed: p.json<PaymentMethods>(),
  splitPaymentConfig: p.json<SplitReceiver[]>(),
  gatewayMethod: p.string().$type<'direct' | 'subs'>(),
  fromCurrencySymbol: p.string(),
  amountFrom: p.string(),
  toCurrencySymbol: p.string(),
  amountTo: p.string().nullable(),
  toChain: p.string().nullable(),
  onRamp: p.boolean(),
  transactionType: p.string().$type<TransactionType>().nullable(),
  payerEmail: p.string().nullable(),
  payerWallet: p.string().nullable(),
  payerTokenSymbol: p.string().nullable(),
  payerCpf: p.string().nullable(),
  chainName: p.string().nullable(),
  unsignedTransaction: p.json<UnsignedTransaction>().nullable(),
  signedTransaction: p.text().nullable(),
  tidHash: p.string().nullable(),
  globalPaymentData: p.json<unknown>().nullable(),
  dataError: p.json<PaymentFailure>().nullable(),
  quoteId: p.string().nullable(),
  /** The charge that the payer is asked to pay, on rails that charge. */
  chargeId: p.string().nullable(),
  metadata: p.json<unknown>().nullable(),
  /** How a subscription goes on that this payment begins; null for all others, periods included. */
  subscriptionConfig: p.json<SubscriptionConfig>().nullable(),
  createdAt: p.datetime(3),
  updatedAt: p.datetime(3),
}

/** One payment of a tenant: what was asked for, and where it stands. */
export const PaymentEntity = defineEntity({ name: 'Payment', tableName: 'payment', properties: PAYMENT_COLUMNS })
export type Payment = InferEntity<typeof PaymentEntity>

/** The columns that change after registration; the history holds each change of them. */
export type PaymentChange = Partial<
  Pick<
    Payment,
    | 'amountTo'
    | 'chainName'
    | 'chargeId'
    | 'dataError'
    | 'globalPaymentData'
    | 'payerCpf'
    | 'payerEmail'
    | 'payerTokenSymbol'
    | 'payerWallet'
    | 'quoteId'
    | 'signedTransaction'
    | 'status'
    | 'tidHash'
    | 'transactionType'
    | 'unsignedTransaction'
  >
>

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
    /** What caused it, for people: `transaction_created`, `transaction_confirmed`, … */
    cause: p.string(),
    change: p.json<PaymentChange>(),
    notify: p.boolean(),
    createdAt: p.datetime(3),
  },
})
export type PaymentEvent = InferEntity<typeof PaymentEventEntity>
