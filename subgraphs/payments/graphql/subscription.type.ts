import { Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../kernel/scalars.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import {
  CANCEL_REASONS,
  SUBSCRIPTION_INTERVALS,
  SUBSCRIPTION_STATUSES,
  type CancelReason,
  type SubscriptionInterval,
  type SubscriptionStatus,
} from '../store/subscription.entity.js'
import { PageInfo } from './list-payments.js'

const SubscriptionIntervalEnum = graphqlEnum(
  'SubscriptionInterval',
  'The time between two payments of a subscription.',
  SUBSCRIPTION_INTERVALS,
)
const SubscriptionStatusEnum = graphqlEnum(
  'SubscriptionStatus',
  'Where a subscription stands: while it is PAST_DUE nothing new is registered.',
  SUBSCRIPTION_STATUSES,
)
const CancelReasonEnum = graphqlEnum(
  'SubscriptionCancelReason',
  'Why a subscription has ended: by the tenant, or because its order does not go on.',
  CANCEL_REASONS,
)

@ObjectType('PaymentSubscriptionEvent', { description: "One entry of a subscription's history." })
export class SubscriptionEventType {
  @Field(() => Int, { description: 'Counts the entries of the subscription from 1.' })
  sequence!: number

  @Field(() => String, { description: 'What happened, as webhooks name it, e.g. `subscription.renewed`.' })
  type!: string

  @Field(() => DateTime, { description: 'When.' })
  createdAt!: Date
}

// A type of the name Subscription would be GraphQL's own root.
@ObjectType('PaymentSubscription', {
  description: "A payer's subscription: it began with the first successful payment of an order.",
})
export class SubscriptionType {
  @Field(() => ID, { description: 'The id of the subscription.' })
  id!: string

  @Field(() => SubscriptionStatusEnum, { description: 'Where it stands.' })
  status!: SubscriptionStatus

  @Field(() => String, { description: 'The id of its order.' })
  orderCode!: string

  @Field(() => String, { description: 'What the plan is called.' })
  planName!: string

  @Field(() => SubscriptionIntervalEnum, { description: 'The time between two payments.' })
  interval!: SubscriptionInterval

  @Field(() => Boolean, { description: 'Whether a card on file is charged by itself.' })
  charge!: boolean

  @Field(() => Int, { description: 'How often a refused charge is tried again, a day apart.' })
  retryCount!: number

  @Field(() => ID, { description: 'The payment that began it.' })
  firstPaymentId!: string

  @Field(() => ID, { nullable: true, description: 'The payment that the last event was about.' })
  paymentId!: string | null

  @Field(() => DateTime, { nullable: true, description: 'When that payment was due; null for the first one.' })
  dueAt!: Date | null

  @Field(() => Int, {
    description: 'Periods that the last event left out, because nothing could be registered in time.',
  })
  skippedPeriods!: number

  @Field(() => Int, { description: "How often that payment's charge was refused." })
  refusals!: number

  @Field(() => DateTime, { nullable: true, description: 'When it is charged next; null where that is not planned.' })
  nextAttemptAt!: Date | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the next payment is registered; null where none will be.',
  })
  nextPaymentAt!: Date | null

  @Field(() => CancelReasonEnum, { nullable: true, description: 'Present when it was canceled.' })
  cancelReason!: CancelReason | null

  @Field(() => DateTime, { description: 'When it began.' })
  createdAt!: Date

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date
}

@ObjectType({ description: 'A subscription in a connection.' })
export class PaymentSubscriptionEdge {
  @Field(() => String, { description: 'Names its place in the list.' })
  cursor!: string

  @Field(() => SubscriptionType, { description: 'The subscription.' })
  node!: SubscriptionType
}

@ObjectType({ description: 'A page of subscriptions with cursors.' })
export class PaymentSubscriptionConnection {
  @Field(() => [PaymentSubscriptionEdge], { description: 'The subscriptions, newest first.' })
  edges!: PaymentSubscriptionEdge[]

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo
}
