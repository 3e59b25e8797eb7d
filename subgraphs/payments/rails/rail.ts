import type { FieldFailure } from '../../../kernel/errors.js'
import type { Product } from '../../../kernel/tenant.js'
import type { PaymentMethod } from '../../../terms/methods.js'
import type { RawCard } from '../model/card-input.js'
import type { TransactionType } from '../model/transaction-type.js'
import type { Payment, PaymentChange } from '../store/payment.entity.js'
import type { Quote } from '../store/quotes.js'
import type { ProcessorAdapter } from './processor-adapter.js'
import type { CreateTransactionInput } from '../model/transaction-input.js'

/** One way to pay. A new one is a folder that exports a value of this, and a line in `registry.ts`. */
export type Rail = WalletRail | ChargeRail

interface RailBase {
  name: string
  /** The transaction types that it serves, and the method that a payment has to allow for each. */
  types: Partial<Record<TransactionType, PaymentMethod>>
  /** The product that each type needs. */
  productOf: (type: TransactionType) => Product
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
}

/** A provider charges the payer in fiat and tells us later; the receivers are paid out by the treasury. */
export interface ChargeRail extends RailBase {
  kind: 'charge'
  /** What is wrong with a card that is to be tokenized; absent where there are no cards. */
  checkCard?: (card: Partial<RawCard>) => FieldFailure[]
  adapter: ProcessorAdapter
}

/** What a rail made: the change of the payment, and the quote that it locked. */
export interface StartedTransaction {
  change: PaymentChange
  quote: Quote
}
