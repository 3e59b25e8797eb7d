import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import type { PaymentStatus } from '../domain/payment-status.js'
import type { TransactionType } from '../domain/transaction-type.js'
import type { SubscriptionConfig } from './subscription.entity.js'

/** A receiver's share as stored: percentages are exact decimal numbers in jsonb. */
export interface SplitReceiver {
  receiverWallet: string
  receiverPercent: number
  recipientId?: string
  liable?: boolean
  chargeProcessingFee?: boolean
}

/** Which payment methods a payment may be paid by. */
export interface PaymentMethods {
  crypto: boolean
  pixcrypto: boolean
  cardcrypto: boolean
  cardfiat: boolean
  cryptofiat: boolean
  cryptopix: boolean
}

/** Why a payment is in `error`. */
export interface PaymentFailure {
  code: string
  status: string
  message: string
  details: string | null
}

/** An unsigned EVM transaction; all quantities are decimal strings. */
export interface EvmUnsignedTransaction {
  schemaVersion: 1
  family: 'evm'
  chainName: string
  transactionRequest: {
    to: string
    from: string
    data: string
    nonce: number
    value: string
    chainId: number
    gasLimit: string
    maxFeePerGas: string
    maxPriorityFeePerGas: string
  }
  meta: { source: string; approval?: { token: string; spender: string; amount: string } }
}

/** An unsigned Solana transaction; `serialized` is the base64 wire. */
export interface SolanaUnsignedTransaction {
  schemaVersion: 1
  family: 'solana'
  chainName: string
  serialized: string
  recentBlockhash: string
  lastValidBlockHeight: number
  feePayer: string
  reference: string
  meta: { source: string }
}

export type UnsignedTransaction = EvmUnsignedTransaction | SolanaUnsignedTransaction

const properties = {
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
export const PaymentEntity = defineEntity({ name: 'Payment', tableName: 'payment', properties })
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
