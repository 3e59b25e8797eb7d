import type { FieldFailure } from '../../../kernel/errors.js'
import type { Product } from '../../../kernel/tenant.js'
import type { PaymentsDeps } from '../deps.js'
import type { CreateTransactionInput } from '../domain/create-transaction.js'
import type { PaymentMethod, TransactionType } from '../domain/transaction-type.js'
import type { Payment, PaymentChange } from '../store/payment.entity.js'
import type { Quote } from '../store/quotes.js'

/** One way to pay. A new one is a folder that exports a value of this, and a line in `registry.ts`. */
export interface Rail {
  name: string
  /** The transaction types that it serves, and the method that a payment has to allow for each. */
  types: Partial<Record<TransactionType, PaymentMethod>>
  /** The product that each type needs. */
  productOf: (type: TransactionType) => Product
  /** What is wrong with the payer's fields; the type is known to be one of `types`. */
  check: (deps: Pick<PaymentsDeps, 'settings'>, input: Partial<CreateTransactionInput>) => FieldFailure[]
  /**
   * Makes what the payer needs: an unsigned transaction, a charge. May call other systems, which have to be asked with
   * a key of ours, as it can run again after a crash. Writes nothing.
   */
  start: (deps: PaymentsDeps, payment: Payment, input: CreateTransactionInput) => Promise<StartedTransaction>
}

/** What a rail made: the change of the payment, and the quote that it locked. */
export interface StartedTransaction {
  change: PaymentChange
  quote: Quote
}
