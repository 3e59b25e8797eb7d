import type { Variable } from '../../../kernel/env.js'
import type { FieldFailure } from '../../../kernel/errors.js'
import type { Product } from '../../../kernel/tenant.js'
import type { PaymentMethod } from '../../../terms/methods.js'
import type { RawCard } from '../model/card-input.js'
import type { ChainAccess } from '../model/chain-access.js'
import type { AddressPlace } from '../model/payment-address.js'
import type { Runtime } from '../model/runtime.js'
import type { CreateTransactionInput } from '../model/transaction-input.js'
import type { LockQuoteDeps } from '../prices/lock-quote.js'
import type { Router } from '../router/router.js'
import type { BroadcastsStore } from '../store/broadcasts.js'
import type { Payment, PaymentChange } from '../store/payment.entity.js'
import type { PaymentsStore } from '../store/payments.js'
import type { Quote } from '../store/quotes.js'
import type { ProcessorAdapter } from './processor-adapter.js'

/** A way to pay as the registry lists it. A new one is a folder that exports a value of this, and a line in `registry.ts`. */
export interface RailKind {
  name: string
  /** What a deployment enables to offer it; the variables that live needs are needed then. */
  product: Product
  types: TransactionTypes
  environment: RailEnvironment
  /**
   * The rail as a deployment uses it; undefined where neither the environment nor the sandbox says how to reach its provider.
   * @param sandbox what the part of the sandbox that has the rail's name says of itself
   * @throws EnvError
   */
  configure: (environment: NodeJS.ProcessEnv, sandbox: object | undefined) => ConfiguredRail | undefined
}

/** The transaction types that a rail serves, by their names. */
export type TransactionTypes = Readonly<Record<string, TransactionKind>>

interface TransactionKind {
  /** For people who read the API. */
  description: string
  /** The method that a payment has to allow for it. */
  method: PaymentMethod
  /** The product that the tenant needs for it. */
  product: Product
  /** Whether the provider that charges pays the receivers too, in fiat; otherwise the treasury pays them in crypto. */
  settlesInFiat?: true
}

/** What a rail reads of the environment; `npm start -- --help` lists it. */
export interface RailEnvironment {
  variables: Readonly<Record<string, Variable<unknown>>>
  /** The variables without which it cannot work, by name: the first says where its provider is. */
  required: readonly string[]
  /** The variables that hold secrets, by name. */
  secrets: readonly string[]
}

/** A rail that is given what it needs of the process. */
export type ConfiguredRail = (deps: RailDeps) => Rail

/** What rails are made with. */
export interface RailDeps extends Pick<Runtime, 'clock' | 'log' | 'newId'>, LockQuoteDeps, ChainAccess {
  router: Router
  payments: Pick<PaymentsStore, 'countSplitReceivers'>
  broadcasts: Pick<BroadcastsStore, 'unfinalOf'>
  /** Where providers reach us: `<base>/callbacks/<rail>/…`. */
  publicUrl: string
  /** A secret of the deployment's own for a purpose; 32 bytes. */
  deriveKey: (purpose: string) => Buffer
}

/** One way to pay, at work. */
export type Rail = WalletRail | ChargeRail

interface RailBase {
  name: string
  types: TransactionTypes
  /** Whether the payer of a financial payment has to be verified first; that of a checkout payment never has. */
  needsVerifiedPayer: boolean
  /** What is wrong with the payer's fields; the type is known to be one of `types`. */
  check: (input: Partial<CreateTransactionInput>) => FieldFailure[]
}

/** The payer signs a transaction that we build; nothing is charged anywhere. */
export interface WalletRail extends RailBase {
  kind: 'wallet'
  /** Makes the unsigned transaction. May call other systems, and may run again after a crash. Writes nothing. */
  start: (payment: Payment, input: CreateTransactionInput) => Promise<StartedTransaction>
  /**
   * Prices the payment, and says at which address of its own it is paid on a chain. Writes nothing.
   * @throws validation_error where it cannot be paid so, provider_unavailable, provider_timeout
   */
  placeAddress: (payment: Payment, chainName: string) => Promise<PlacedAddress>
}

/** A provider charges the payer in fiat and tells us later; the receivers are paid out by the treasury. */
export interface ChargeRail extends RailBase {
  kind: 'charge'
  /** What is wrong with a card that is to be tokenized; absent where there are no cards. */
  checkCard?: (card: Partial<RawCard>) => FieldFailure[]
  adapter: ProcessorAdapter
}

/** Where a payment can be paid by whoever sends the token there, and the quote that was locked for it. */
export interface PlacedAddress {
  place: AddressPlace
  quote: Quote
  /** So many addresses of its tenant may be watched, this one included; 0: any number. */
  watchedMax: number
}

/** What a rail made: the change of the payment, and the quote that it locked. */
export interface StartedTransaction {
  change: PaymentChange
  quote: Quote
}
