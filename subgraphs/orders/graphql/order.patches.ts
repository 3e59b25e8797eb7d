import { Field, Float, InputType, Int } from 'type-graphql'
import { SubscriptionIntervalEnum } from './order.type.js'

@InputType({ description: 'What to change of the item at the same place; one behind the last has to be complete.' })
export class OrderItemPatch {
  @Field(() => String, { nullable: true, description: 'What it is called.' })
  name?: string

  @Field(() => Int, { nullable: true, description: 'How many of it, at least 1.' })
  quantity?: number

  @Field(() => String, { nullable: true, description: 'More about it.' })
  description?: string

  @Field(() => String, { nullable: true, description: 'A picture of it: an http or https URL.' })
  imageUrl?: string
}

@InputType({ description: 'What to change of the receiver at the same place; one behind the last has to be complete.' })
export class SplitReceiverPatch {
  @Field(() => String, { nullable: true, description: "The receiver's address on the destination chain." })
  receiverWallet?: string

  @Field(() => Float, { nullable: true, description: 'The share in percent, 0 to 100; all shares sum to exactly 100.' })
  receiverPercent?: number

  @Field(() => String, { nullable: true, description: "The receiver's id at the card processor." })
  recipientId?: string

  @Field(() => Boolean, { nullable: true, description: 'Whether the receiver is liable for chargebacks.' })
  liable?: boolean

  @Field(() => Boolean, { nullable: true, description: "Whether the receiver bears the processor's fee." })
  chargeProcessingFee?: boolean
}

@InputType({ description: "What to change of a subscription's terms; they have to be complete where there were none." })
export class SubscriptionConfigPatch {
  @Field(() => String, { nullable: true, description: 'What the plan is called.' })
  planName?: string

  @Field(() => SubscriptionIntervalEnum, { nullable: true, description: 'The time between two payments.' })
  interval?: 'weekly' | 'monthly' | 'yearly'

  @Field(() => Float, { nullable: true, description: 'When the next payment is due, in whole Unix seconds.' })
  nextPaymentAt?: number

  @Field(() => Boolean, { nullable: true, description: 'Whether a card on file is charged by itself.' })
  charge?: boolean

  @Field(() => Int, { nullable: true, description: 'How often a refused charge is tried again, a day apart.' })
  retryCount?: number
}
