import { Field, Float, ID, InputType } from 'type-graphql'
import { Url } from '../../../kernel/scalars.js'

@InputType({ description: "A receiver's share." })
export class SplitReceiverInput {
  @Field(() => String, { description: "The receiver's address on the destination chain." })
  receiverWallet!: string

  @Field(() => Float, { description: 'The share in percent, 0 to 100; all shares sum to exactly 100.' })
  receiverPercent!: number

  @Field(() => String, {
    nullable: true,
    description: "The receiver's id at the card processor; card to fiat needs it.",
  })
  recipientId?: string

  @Field(() => Boolean, { nullable: true, description: 'Whether the receiver is liable for chargebacks.' })
  liable?: boolean

  @Field(() => Boolean, { nullable: true, description: "Whether the receiver bears the processor's fee." })
  chargeProcessingFee?: boolean
}

@InputType({ description: 'Which methods to allow; what is left out is not allowed.' })
export class PaymentMethodsInput {
  @Field(() => Boolean, { nullable: true, description: 'A crypto wallet pays on a chain.' })
  crypto?: boolean

  @Field(() => Boolean, { nullable: true, description: 'Pix pays, the receivers get crypto.' })
  pixcrypto?: boolean

  @Field(() => Boolean, { nullable: true, description: 'A card pays, the receivers get crypto.' })
  cardcrypto?: boolean

  @Field(() => Boolean, { nullable: true, description: 'A card pays, the receivers get fiat.' })
  cardfiat?: boolean

  @Field(() => Boolean, { nullable: true, description: 'Crypto pays, the receivers get fiat.' })
  cryptofiat?: boolean

  @Field(() => Boolean, { nullable: true, description: 'Crypto pays, the receivers get Pix.' })
  cryptopix?: boolean
}

@InputType({ description: 'The integration that a payment belongs to.' })
export class TenantDataInput {
  @Field(() => ID, { description: 'The integration id: a prefix followed by 32 hex characters.' })
  publicClientId!: string

  @Field(() => Url, { description: 'Receives the status updates of the payment.' })
  webhookUrl!: string
}
