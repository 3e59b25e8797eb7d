import { Field, InputType, ID, ObjectType } from 'type-graphql'
import { DateTime, Decimal } from '../../../kernel/scalars.js'

@ObjectType('PaymentAddress', {
  description: 'The address of a payment, to which any wallet or exchange can send the token.',
})
export class PaymentAddressType {
  @Field(() => String, { description: 'The chain; on any other, money sent there is lost.' })
  chainName!: string

  @Field(() => String, { description: 'The address: of this payment alone, and emptied to its receivers alone.' })
  address!: string

  @Field(() => String, { description: "The token's contract." })
  token!: string

  @Field(() => Decimal, { description: 'What is due there in all.' })
  amount!: string

  @Field(() => Decimal, { description: 'What has come so far.' })
  received!: string

  @Field(() => Decimal, { description: 'What is still to come; 0 where it is the whole.' })
  missing!: string

  @Field(() => DateTime, { description: 'Until when the price holds.' })
  expiresAt!: Date

  @Field(() => String, {
    nullable: true,
    description: 'The same for wallets that read EIP-681; null once nothing is missing.',
  })
  link!: string | null
}

@InputType({ description: 'Where a payment is to be paid by sending its token.' })
export class OpenPaymentAddressInput {
  @Field(() => ID, { description: 'The payment.' })
  paymentId!: string

  @Field(() => String, { description: 'The chain; an EVM chain, and the one of the receivers where they have one.' })
  chainName!: string
}

@InputType({ description: 'Where what came to an underpaid payment is to be given back.' })
export class GiveBackUnderpaymentInput {
  @Field(() => ID, { description: 'The payment.' })
  paymentId!: string

  @Field(() => String, {
    description: "The payer's own wallet on the payment's chain; not the one that an exchange has sent from.",
  })
  wallet!: string
}
