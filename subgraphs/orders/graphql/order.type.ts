import { Directive, Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'

export const GatewayMethodEnum = graphqlEnum('GatewayMethod', 'One-time or subscription.', {
  direct: 'Paid once.',
  subs: 'The first payment of a subscription; others follow at its interval.',
})
export const SubscriptionIntervalEnum = graphqlEnum(
  'SubscriptionInterval',
  'The time between two payments of a subscription.',
  {
    weekly: 'Seven days.',
    monthly: 'A calendar month.',
    yearly: 'A calendar year.',
  },
)

@Directive('@shareable')
@ObjectType({ description: "A receiver's share of a payment." })
export class SplitReceiver {
  @Field(() => String, { description: "The receiver's address on the destination chain." })
  receiverWallet!: string

  @Field(() => Float, { description: 'The share in percent; all shares sum to exactly 100.' })
  receiverPercent!: number

  @Field(() => String, { nullable: true, description: "The receiver's id at the card processor." })
  recipientId?: string

  @Field(() => Boolean, { nullable: true, description: 'Whether the receiver is liable for chargebacks.' })
  liable?: boolean

  @Field(() => Boolean, { nullable: true, description: "Whether the receiver bears the processor's fee." })
  chargeProcessingFee?: boolean
}

@Directive('@shareable')
@ObjectType({ description: 'Which methods are allowed.' })
export class PaymentMethods {
  @Field(() => Boolean, { description: 'A crypto wallet pays on a chain.' })
  crypto!: boolean

  @Field(() => Boolean, { description: 'Pix pays, the receivers get crypto.' })
  pixcrypto!: boolean

  @Field(() => Boolean, { description: 'A card pays, the receivers get crypto.' })
  cardcrypto!: boolean

  @Field(() => Boolean, { description: 'A card pays, the receivers get fiat.' })
  cardfiat!: boolean

  @Field(() => Boolean, { description: 'Crypto pays, the receivers get fiat.' })
  cryptofiat!: boolean

  @Field(() => Boolean, { description: 'Crypto pays, the receivers get Pix.' })
  cryptopix!: boolean
}

@ObjectType({ description: 'Something that is sold.' })
export class OrderItem {
  @Field(() => String, { description: 'What it is called.' })
  name!: string

  @Field(() => Int, { description: 'How many of it, at least 1.' })
  quantity!: number

  @Field(() => String, { nullable: true, description: 'More about it.' })
  description?: string

  @Field(() => String, { nullable: true, description: 'A picture of it.' })
  imageUrl?: string
}

@ObjectType({ description: 'How a subscription goes on after its first payment.' })
export class SubscriptionConfig {
  @Field(() => String, { description: 'What the plan is called.' })
  planName!: string

  @Field(() => SubscriptionIntervalEnum, { description: 'The time between two payments.' })
  interval!: 'weekly' | 'monthly' | 'yearly'

  // GraphQL's Int ends in the year 2038.
  @Field(() => Float, { nullable: true, description: 'When the next payment is due, in whole Unix seconds.' })
  nextPaymentAt?: number

  @Field(() => Boolean, { description: 'Whether a card on file is charged by itself.' })
  charge!: boolean

  @Field(() => Int, { description: 'How often a refused charge is tried again, a day apart.' })
  retryCount!: number
}

@Directive('@inaccessible')
@ObjectType({ description: "The integration that an order's payments belong to." })
export class OrderTenantData {
  @Field(() => ID, { description: 'The integration id.' })
  publicClientId!: string

  @Field(() => String, { description: 'Receives the status updates of the payments.' })
  webhookUrl!: string
}

@Directive('@key(fields: "id")')
@ObjectType('Order', { description: 'A reusable checkout order: the terms from which payments are registered.' })
export class OrderType {
  @Field(() => ID, { description: 'The id of the order.' })
  id!: string

  @Field(() => String, { description: 'The tenant whose order it is.' })
  tenantId!: string

  @Field(() => Boolean, { description: 'Whether payments can be registered from it.' })
  active!: boolean

  @Field(() => String, { description: 'Who executes it, e.g. `api_transaction`.' })
  executorId!: string

  @Field(() => [OrderItem], { description: 'What is sold.' })
  orderItems!: OrderItem[]

  @Field(() => String, { description: 'The fiat currency.' })
  fromCurrencySymbol!: string

  @Field(() => Decimal, { description: 'The amount in the fiat currency.' })
  amountFrom!: string

  @Field(() => String, { description: 'The token that the receivers get.' })
  toCurrencySymbol!: string

  @Field(() => String, { nullable: true, description: 'The chain that the receivers are paid on.' })
  toChain!: string | null

  @Field(() => Boolean, { description: 'Whether the payer starts it as an on-ramp.' })
  onRamp!: boolean

  @Field(() => GatewayMethodEnum, { description: 'One-time or subscription.' })
  gatewayMethod!: 'direct' | 'subs'

  @Field(() => PaymentMethods, { description: 'How it may be paid.' })
  paymentMethodAllowed!: PaymentMethods

  @Field(() => [SplitReceiver], { description: 'Who receives, and which share.' })
  splitPaymentConfig!: SplitReceiver[]

  @Field(() => SubscriptionConfig, { nullable: true, description: 'How a subscription goes on.' })
  subscriptionPaymentConfig!: SubscriptionConfig | null

  @Field(() => String, { description: 'Empty: predefined payment sessions are not enabled.' })
  paymentSessionLink!: string

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: Date

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date

  @Directive('@inaccessible')
  @Field(() => OrderTenantData, { nullable: true, description: 'The integration of payments that name none.' })
  tenantData!: OrderTenantData | null

  @Directive('@inaccessible')
  @Field(() => Int, { description: 'The number of its last event, from 1.' })
  sequence!: number
}
