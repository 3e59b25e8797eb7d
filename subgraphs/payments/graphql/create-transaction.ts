import { Arg, Ctx, ID, InputType, Mutation, Resolver } from 'type-graphql'
import { EmailAddress } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { createTransaction, type CreateTransactionDeps } from '../domain/create-transaction.js'
import type { CreateTransactionInput as Input } from '../model/transaction-input.js'
import type { Payment } from '../store/payment.entity.js'
import { CardDataInput, DocumentTypeEnum, PhoneInput } from './card.inputs.js'
import { TransactionTypeEnum } from './payment.enums.js'
import { PaymentType } from './payment.type.js'

@Fields<Input>('input', {
  paymentId: { type: () => ID, description: 'The payment.' },
  transactionType: { type: () => TransactionTypeEnum, description: 'How it is paid.' },
  payerEmail: {
    type: () => EmailAddress,
    nullable: true,
    description: "The payer's e-mail address; only the payer of CRYPTO may leave it out.",
  },
  payerWallet: { type: () => String, nullable: true, description: "The payer's wallet; needed for CRYPTO." },
  chainName: { type: () => String, nullable: true, description: 'The chain the payer pays on; needed for CRYPTO.' },
  payerTokenSymbol: {
    type: () => String,
    nullable: true,
    description: 'The token the payer pays with; needed for CRYPTO.',
  },
  payerCpf: {
    type: () => String,
    nullable: true,
    description: "The payer's CPF or CNPJ, numeric or alphanumeric; needed for PIXCRYPTO and FIATCRYPTO.",
  },
  payerName: { type: () => String, nullable: true, description: "The payer's name; needed for cards." },
  payerDocument: { type: () => String, nullable: true, description: "The payer's document; needed for cards." },
  payerDocumentType: {
    type: () => DocumentTypeEnum,
    nullable: true,
    description: 'The kind of that document; needed for cards.',
  },
  payerIp: { type: () => String, nullable: true, description: "The payer's IP address; needed with a card token." },
  sessionId: {
    type: () => String,
    nullable: true,
    description: 'The session of fraud prevention; needed with a card token.',
  },
  payerPhone: { type: () => PhoneInput, nullable: true, description: "The payer's telephone; needed for cards." },
  cardData: { type: () => CardDataInput, nullable: true, description: 'The card or its token; needed for cards.' },
})
@InputType({ description: 'An attempt to pay a payment. The type decides which of the other fields are needed.' })
export class CreateTransactionInput {}

@Resolver()
export class CreateTransactionResolver {
  @Mutation(() => PaymentType, {
    description: 'Starts an attempt to pay a payment: the answer holds what the payer needs.',
  })
  createTransaction(
    @Arg('input', () => CreateTransactionInput, { description: 'How the payment is to be paid, and by whom.' })
    input: Input,
    @Ctx() context: SubgraphContext<CreateTransactionDeps>,
  ): Promise<Payment> {
    return createTransaction(context.deps, tenantOf(context), input)
  }
}
