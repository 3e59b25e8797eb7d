import { Directive, ID, InputType, Int, ObjectType } from 'type-graphql'
import type { Connection } from '../../../kernel/connection.js'
import { PageInfoType } from '../../../kernel/page-info.type.js'
import { DateTime } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { connectionType } from '../../../kernel/subgraph-connection.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type {
  CancelReason,
  SubscriptionEventType as SubscriptionEvent,
  SubscriptionInterval,
  SubscriptionStatus,
} from '../model/subscription.js'
import type { Subscription } from '../store/subscription.entity.js'
import type { SubscriptionEntry, SubscriptionFilter } from '../store/subscriptions.js'
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

/** An entry as clients see it. */
export type ShownEntry = Omit<SubscriptionEntry, 'subscriptionId'> & { kind: SubscriptionEvent }

@Fields<ShownEntry>('answer', {
  sequence: { type: () => Int, description: 'Counts the entries of the subscription from 1.' },
  type: {
    type: () => String,
    description: 'What happened, as webhooks name it, e.g. `subscription.renewed`.',
    deprecationReason: 'A closed set is an enum: use `kind`.',
  },
  kind: { type: () => SubscriptionEventKindEnum, description: 'What happened.' },
  createdAt: { type: () => DateTime, description: 'When.' },
})
@ObjectType('PaymentSubscriptionEvent', { description: "One entry of a subscription's history." })
export class SubscriptionEventType {}

export const SubscriptionEventConnection = connectionType('PaymentSubscriptionEvent', () => SubscriptionEventType, {
  noun: 'an entry',
  order: 'the oldest first',
})

@Fields<SubscriptionFilter>('input', {
  status: { type: () => SubscriptionStatusEnum, nullable: true, description: 'Only subscriptions that stand there.' },
  orderCode: { type: () => ID, nullable: true, description: 'Only subscriptions of this order.' },
})
@InputType({ description: 'Which subscriptions to list; what is left out is any.' })
export class PaymentSubscriptionFilterInput {}

// A type of the name Subscription would be GraphQL's own root.
@Directive('@key(fields: "id")')
@Fields('answer', {
  id: { type: () => ID, description: 'The id of the subscription.' },
  status: { type: () => SubscriptionStatusEnum, description: 'Where it stands.' },
  orderCode: {
    type: () => ID,
    nullable: true,
    description: 'The id of its order; null where its first payment had none.',
  },
  planName: { type: () => String, description: 'What the plan is called.' },
  interval: { type: () => SubscriptionIntervalEnum, description: 'The time between two payments.' },
  awaitsConsent: {
    type: () => Boolean,
    description:
      'Whether its payer has to pay a period himself before his card is charged again: the plan costs more, or comes more often.',
  },
  charge: { type: () => Boolean, description: 'Whether a card on file is charged by itself.' },
  retryCount: { type: () => Int, description: 'How often a refused charge is tried again, a day apart.' },
  firstPaymentId: { type: () => ID, description: 'The payment that began it, or is the first one after its trial.' },
  paymentId: { type: () => ID, nullable: true, description: 'The payment that the last event was about.' },
  dueAt: { type: () => DateTime, nullable: true, description: 'When that payment was due; null for the first one.' },
  skippedPeriods: {
    type: () => Int,
    description: 'Periods that the last event left out, because nothing could be registered in time.',
  },
  refusals: { type: () => Int, description: "How often that payment's charge was refused." },
  nextAttemptAt: {
    type: () => DateTime,
    nullable: true,
    description: 'When it is charged next; null where that is not planned.',
  },
  nextPaymentAt: {
    type: () => DateTime,
    nullable: true,
    description: 'When the next payment is registered; null where none will be.',
  },
  cancelReason: { type: () => CancelReasonEnum, nullable: true, description: 'Present when it was canceled.' },
  trialEndsAt: {
    type: () => DateTime,
    nullable: true,
    description: 'When its trial ends, or has ended; null where it began with a payment.',
  },
  emailsStoppedAt: {
    type: () => DateTime,
    nullable: true,
    description: 'Since when its payer gets no e-mails about what is due; null where he does.',
  },
  createdAt: { type: () => DateTime, description: 'When it began.' },
  updatedAt: { type: () => DateTime, description: 'When it last changed.' },
})
@ObjectType('PaymentSubscription', {
  implements: Node,
  description:
    "A payer's subscription: it began with the first successful payment of an order, or of one that had its terms, or with a trial.",
})
export class SubscriptionType {}

@Fields<Connection<Subscription>['edges'][number]>('answer', {
  cursor: { type: () => String, description: 'Names its place in the list.' },
  node: { type: () => SubscriptionType, description: 'The subscription.' },
})
@ObjectType({ description: 'A subscription in a connection.' })
export class PaymentSubscriptionEdge {}

@Fields<Connection<Subscription>>('answer', {
  edges: { type: () => [PaymentSubscriptionEdge], description: 'The subscriptions, newest first.' },
  pageInfo: { type: () => PageInfoType, description: 'Where the page stands.' },
})
@ObjectType({ description: 'A page of subscriptions with cursors.' })
export class PaymentSubscriptionConnection {}
