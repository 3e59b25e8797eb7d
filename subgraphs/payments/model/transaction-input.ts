import type { CardPayerInput } from './card-input.js'
import type { TransactionType } from './transaction-type.js'

/** What a payer sends to pay a payment; which fields are needed depends on the type. */
export interface CreateTransactionInput extends CardPayerInput {
  paymentId: string
  transactionType: TransactionType
  /** Only who pays by a wallet may leave it out. */
  payerEmail?: string | null
  payerWallet?: string | null
  chainName?: string | null
  payerTokenSymbol?: string | null
  /** Held in memory for the call to the provider only. */
  payerCpf?: string | null
}
