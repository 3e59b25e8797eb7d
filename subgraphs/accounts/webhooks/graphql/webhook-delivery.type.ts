import { Directive, ID, InputType, Int, ObjectType } from 'type-graphql'
import { DateTime, JsonValue, Url } from '../../../../kernel/scalars.js'
import { describedConnection } from '../../../../kernel/subgraph-connection.js'
import { Fields } from '../../../../kernel/subgraph-fields.js'
import { graphqlEnum } from '../../../../kernel/subgraph.js'
import type { DeliveryPageInput } from '../find-deliveries.js'
import { WebhookEndpointType } from './webhook-endpoint.type.js'
import {
  ATTEMPTS_SHOWN,
  type AttemptFailure,
  type DeliveryEnd,
  type DeliveryState,
  type EventSource,
} from '../store/webhook.entity.js'

export const WebhookDeliveryStateEnum = graphqlEnum<DeliveryState>('WebhookDeliveryState', 'Where a delivery stands.', {
  pending: 'Attempts are to come.',
  delivered: 'The receiver took it.',
  failed: 'All attempts are used up, or its endpoint is off or gone. It can be replayed.',
})
const WebhookDeliveryEndEnum = graphqlEnum<DeliveryEnd>(
  'WebhookDeliveryEnd',
  'Why a delivery failed before its attempts were used up.',
  {
    endpoint_deleted: 'Its webhook endpoint was deleted.',
    endpoint_disabled: 'Its webhook endpoint was switched off. It can be replayed once that is on again.',
  },
)
const WebhookEventSourceEnum = graphqlEnum<EventSource>('WebhookEventSource', 'Whose events a delivery tells of.', {
  payments: 'Of a payment.',
  subscriptions: 'Of a subscription.',
  orders: 'Of an order.',
  kyc: 'Of an identity verification.',
  refunds: 'Of a refund.',
  tests: 'Of nothing: it is a test.',
})
const WebhookAttemptFailureEnum = graphqlEnum<AttemptFailure>(
  'WebhookAttemptFailure',
  'Why an attempt had no answer.',
  {
    address_refused: 'The address is not public, or is no https address.',
    lookup_failed: 'The name could not be looked up.',
    timeout: 'The receiver did not answer in time.',
    tls_failed: 'The secure connection could not be made, e.g. for a bad certificate.',
    connection_failed: 'The connection could not be made, or broke.',
    no_secret: 'There is no secret to sign it with.',
  },
)

@Fields('answer', {
  number: { type: () => Int, description: 'Counts from 1, replays included.' },
  attemptedAt: { type: () => DateTime, description: 'When it began.' },
  httpStatus: { type: () => Int, description: "The receiver's answer; null where there was none.", nullable: true },
  failure: { type: () => WebhookAttemptFailureEnum, description: 'Why there was no answer.', nullable: true },
  durationMs: { type: () => Int, description: 'How long it took, in milliseconds.' },
  responseBody: {
    type: () => String,
    nullable: true,
    description:
      'The first 1,000 characters of what the receiver answered, with `•` for secrets and long numbers. Null where there was no text, and for whom `body` of the delivery is.',
  },
})
@ObjectType({ description: 'One POST of a delivery.' })
export class WebhookAttempt {}

@Fields('answer', {
  id: { type: () => ID, description: 'The id of the delivery; the `webhook-id` of every attempt.' },
  source: { type: () => WebhookEventSourceEnum, description: 'Whose event it tells of.' },
  resourceId: {
    type: () => ID,
    description: 'The id of the payment, order, subscription or verification that the event is about.',
  },
  sequence: { type: () => Int, description: 'The number of the event among those of its resource.' },
  type: { type: () => String, description: 'The type of the event, e.g. `payment.success`.' },
  url: { type: () => Url, description: 'Where it is sent to.' },
  publicClientId: {
    type: () => ID,
    description: 'The integration whose secret signs it; null for the default, and where it is for an endpoint.',
    nullable: true,
  },
  endpointId: {
    type: () => ID,
    description:
      'The webhook endpoint that it is for, a deleted one too; null where a payment, an order or an integration names the address.',
    nullable: true,
  },
  endpoint: {
    type: () => WebhookEndpointType,
    description: 'That endpoint; null also where it was deleted.',
    nullable: true,
  },
  endedBecause: {
    type: () => WebhookDeliveryEndEnum,
    description: 'Why it failed before its attempts were used up; null where it did not.',
    nullable: true,
  },
  body: {
    type: () => JsonValue,
    nullable: true,
    description:
      'What is sent. Null for a key or a person who may not read its resource: payments, refunds and subscriptions need `payments:read`, orders `orders:read`, verifications `kyc:read`.',
  },
  state: { type: () => WebhookDeliveryStateEnum, description: 'Where it stands.' },
  attempts: {
    type: () => [WebhookAttempt],
    atMost: ATTEMPTS_SHOWN,
    description: `What was tried, oldest first: the newest ${ATTEMPTS_SHOWN} attempts. The \`number\` of the last one says how many there were.`,
  },
  nextAttemptAt: {
    type: () => DateTime,
    description: 'When it is tried again; null before the first attempt.',
    nullable: true,
  },
  deliveredAt: { type: () => DateTime, description: 'When the receiver last took it.', nullable: true },
  endpointFailingSince: {
    type: () => DateTime,
    description:
      'Since when its address has taken nothing: the first attempt that failed since the last one that it took. Null when it takes deliveries.',
    nullable: true,
  },
  endpointMarkedFailingAt: {
    type: () => DateTime,
    description:
      'When a delivery to its address was dropped, all its attempts used up: the address is marked failing. Null when it takes deliveries.',
    nullable: true,
  },
  createdAt: { type: () => DateTime, description: 'When the event was taken up.' },
})
@ObjectType({ description: 'One event on its way to an address of the tenant.' })
export class WebhookDelivery {}

export const WebhookDeliveryConnection = describedConnection('WebhookDelivery', () => WebhookDelivery, {
  node: 'The delivery.',
  edge: 'A delivery in a list.',
  edges: 'The deliveries.',
  page: 'A page of deliveries, newest first.',
})

@Directive('@inaccessible')
@Fields('answer', {
  deliveries: { type: () => [WebhookDelivery], description: 'The deliveries, newest first.' },
  next: { type: () => String, description: 'What `after` is for the next page; null on the last one.', nullable: true },
})
@ObjectType({ description: 'A page of deliveries, without edges.' })
export class WebhookDeliveryPage {}

@Directive('@inaccessible')
@Fields<DeliveryPageInput>('input', {
  resourceId: {
    type: () => ID,
    nullable: true,
    description: 'Only those of this payment, refund, order, subscription or verification.',
  },
  endpointId: { type: () => ID, nullable: true, description: 'Only those to this webhook endpoint.' },
  state: { type: () => WebhookDeliveryStateEnum, nullable: true, description: 'Only those that stand there.' },
  limit: { type: () => Int, nullable: true, description: '1 to 100, by default 20.' },
  after: { type: () => String, nullable: true, description: 'The `next` of the page before.' },
})
@InputType({ description: 'Which page of which deliveries to list; what is left out is any.' })
export class WebhookDeliveryPageInput {}
