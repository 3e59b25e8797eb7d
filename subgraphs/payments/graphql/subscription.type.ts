import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { PageInfoType } from '../../../kernel/page-info.type.js'
import { DateTime } from '../../../kernel/scalars.js'
import { connectionType } from '../../../kernel/subgraph-connection.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type {
  CancelReason,
  SubscriptionEventType as SubscriptionEvent,
  SubscriptionInterval,
  SubscriptionStatus,
} from '../model/subscription.js'
import { Node } from './node.type.js'

export const SubscriptionIntervalEnum = graphqlEnum<SubscriptionInterval>(
  'SubscriptionInterval',
  'The time between two payments of a subscription.',
  { weekly: 'Seven days.', monthly: 'A month; on its last day where it is shorter.', yearly: 'A year.' },
)
const SubscriptionStatusEnum = graphqlEnum<SubscriptionStatus>('SubscriptionStatus', 'Where a subscription stands.', {
  active: 'A payment is registered at each due date.',
  past_due: 'A payment was refused too often; nothing new is registered until it is paid.',
  paused: 'Nothing is registered or charged until it is resumed.',
  canceled: 'It has ended.',
})
const CancelReasonEnum = graphqlEnum<CancelReason>('SubscriptionCancelReason', 'Why a subscription has ended.', {
  requested: 'The tenant canceled it.',
  order_inactive: 'Its order was deactivated.',
  order_not_subscription: 'Its order is no subscription any more.',
  order_not_found: 'Its order is not there any more.',
})

const SubscriptionEventKindEnum = graphqlEnum<SubscriptionEvent>(
  'PaymentSubscriptionEventKind',
  'What happened to a subscription, by the names that webhooks have for it.',
  {
    'subscription.started': 'Its first payment succeeded.',
    'subscription.payment_registered': 'The payment of a period was registered.',
    'subscription.renewed': 'The payment of a period succeeded.',
    'subscription.payment_failed': 'The charge of a period was refused; it is tried again.',
    'subscription.past_due': 'The charge of a period was refused for the last time.',
    'subscription.changed': 'The plan changed, from the next period on.',
    'subscription.paused': 'It was paused.',
    'subscription.resumed': 'It was resumed.',
    'subscription.canceled': 'It was canceled.',
  },
)

@ObjectType('PaymentSubscriptionEvent', { description: "One entry of a subscription's history." })
export class SubscriptionEventType {
  @Field(() => Int, { description: 'Counts the entries of the subscription from 1.' })
  sequence!: number

  @Field(() => String, {
    description: 'What happened, as webhooks name it, e.g. `subscription.renewed`.',
    deprecationReason: 'A closed set is an enum: use `kind`.',
  })
  type!: string

  @Field(() => SubscriptionEventKindEnum, { description: 'What happened.' })
  kind!: SubscriptionEvent

  @Field(() => DateTime, { description: 'When.' })
  createdAt!: Date
}

export const SubscriptionEventConnection = connectionType('PaymentSubscriptionEvent', () => SubscriptionEventType, {
  noun: 'an entry',
  order: 'the oldest first',
})

@InputType({ description: 'Which subscriptions to list; what is left out is any.' })
export class PaymentSubscriptionFilterInput {
  @Field(() => SubscriptionStatusEnum, { nullable: true, description: 'Only subscriptions that stand there.' })
  status?: SubscriptionStatus

  @Field(() => ID, { nullable: true, description: 'Only subscriptions of this order.' })
  orderCode?: string
}

// A type of the name Subscription would be GraphQL's own root.
@Directive('@key(fields: "id")')
@ObjectType('PaymentSubscription', {
  implements: Node,
  description:
    "A payer's subscription: it began with the first successful payment of an order, or of one that had its terms, or with a trial.",
})
export class SubscriptionType {
  @Field(() => ID, { description: 'The id of the subscription.' })
  id!: string

  @Field(() => SubscriptionStatusEnum, { description: 'Where it stands.' })
  status!: SubscriptionStatus

  @Field(() => ID, { nullable: true, description: 'The id of its order; null where its first payment had none.' })
  orderCode!: string | null

  @Field(() => String, { description: 'What the plan is called.' })
  planName!: string

  @Field(() => SubscriptionIntervalEnum, { description: 'The time between two payments.' })
  interval!: SubscriptionInterval

  @Field(() => Boolean, {
    description:
      'Whether its payer has to pay a period himself before his card is charged again: the plan costs more, or comes more often.',
  })
  awaitsConsent?: boolean

  @Field(() => Boolean, { description: 'Whether a card on file is charged by itself.' })
  charge!: boolean

  @Field(() => Int, { description: 'How often a refused charge is tried again, a day apart.' })
  retryCount!: number

  @Field(() => ID, { description: 'The payment that began it, or is the first one after its trial.' })
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

  @Field(() => DateTime, {
    nullable: true,
    description: 'When its trial ends, or has ended; null where it began with a payment.',
  })
  trialEndsAt!: Date | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'Since when its payer gets no e-mails about what is due; null where he does.',
  })
  emailsStoppedAt!: Date | null

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

  @Field(() => PageInfoType, { description: 'Where the page stands.' })
  pageInfo!: PageInfoType
}
