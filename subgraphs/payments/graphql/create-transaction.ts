import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql'
import { EmailAddress } from '../../../kernel/scalars.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { createTransaction, type CreateTransactionDeps } from '../domain/create-transaction.js'
import type { DocumentType } from '../model/card-input.js'
import type { CreateTransactionInput as Input } from '../model/transaction-input.js'
import type { TransactionType } from '../model/transaction-type.js'
import type { Payment } from '../store/payment.entity.js'
import { CardDataInput, DocumentTypeEnum, PhoneInput } from './card.inputs.js'
import { TransactionTypeEnum } from './payment.enums.js'
import { PaymentType } from './payment.type.js'

@InputType({ description: 'An attempt to pay a payment. The type decides which of the other fields are needed.' })
export class CreateTransactionInput implements Input {
  @Field(() => ID, { description: 'The payment.' })
  paymentId!: string

  @Field(() => TransactionTypeEnum, { description: 'How it is paid.' })
  transactionType!: TransactionType

  @Field(() => EmailAddress, {
    nullable: true,
    description: "The payer's e-mail address; only the payer of CRYPTO may leave it out.",
  })
  payerEmail?: string

  @Field(() => String, { nullable: true, description: "The payer's wallet; needed for CRYPTO." })
  payerWallet?: string

  @Field(() => String, { nullable: true, description: 'The chain the payer pays on; needed for CRYPTO.' })
  chainName?: string

  @Field(() => String, { nullable: true, description: 'The token the payer pays with; needed for CRYPTO.' })
  payerTokenSymbol?: string

  @Field(() => String, {
    nullable: true,
    description: "The payer's CPF or CNPJ, numeric or alphanumeric; needed for PIXCRYPTO and FIATCRYPTO.",
  })
  payerCpf?: string

  @Field(() => String, { nullable: true, description: "The payer's name; needed for cards." })
  payerName?: string

  @Field(() => String, { nullable: true, description: "The payer's document; needed for cards." })
  payerDocument?: string

  @Field(() => DocumentTypeEnum, { nullable: true, description: 'The kind of that document; needed for cards.' })
  payerDocumentType?: DocumentType

  @Field(() => String, { nullable: true, description: "The payer's IP address; needed with a card token." })
  payerIp?: string

  @Field(() => String, { nullable: true, description: 'The session of fraud prevention; needed with a card token.' })
  sessionId?: string

  @Field(() => PhoneInput, { nullable: true, description: "The payer's telephone; needed for cards." })
  payerPhone?: PhoneInput

  @Field(() => CardDataInput, { nullable: true, description: 'The card or its token; needed for cards.' })
  cardData?: CardDataInput
}

@Resolver()
export class CreateTransactionResolver {
  @Mutation(() => PaymentType, {
    description: 'Starts an attempt to pay a payment: the answer holds what the payer needs.',
  })
  createTransaction(
    @Arg('input', () => CreateTransactionInput, { description: 'How the payment is to be paid, and by whom.' })
    input: CreateTransactionInput,
    @Ctx() context: SubgraphContext<CreateTransactionDeps>,
  ): Promise<Payment> {
    return createTransaction(context.deps, tenantOf(context), input)
  }
}
