import { Field, ID, Int, ObjectType } from 'type-graphql'
import { PageInfoType } from '../../../../kernel/page-info.type.js'
import { DateTime, JsonValue, Url } from '../../../../kernel/scalars.js'
import { graphqlEnum } from '../../../../kernel/subgraph.js'
import type { AttemptFailure, DeliveryState, EventSource } from '../store/webhook.entity.js'

export const WebhookDeliveryStateEnum = graphqlEnum<DeliveryState>('WebhookDeliveryState', 'Where a delivery stands.', {
  pending: 'Attempts are to come.',
  delivered: 'The receiver took it.',
  failed: 'All attempts are used up. It can be replayed.',
})
const WebhookEventSourceEnum = graphqlEnum<EventSource>('WebhookEventSource', 'Whose events a delivery tells of.', {
  payments: 'Of a payment.',
  subscriptions: 'Of a subscription.',
  orders: 'Of an order.',
  kyc: 'Of an identity verification.',
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

@ObjectType({ description: 'One POST of a delivery.' })
export class WebhookAttempt {
  @Field(() => Int, { description: 'Counts from 1, replays included.' })
  number!: number

  @Field(() => DateTime, { description: 'When it began.' })
  attemptedAt!: Date

  @Field(() => Int, { nullable: true, description: "The receiver's answer; null where there was none." })
  httpStatus!: number | null

  @Field(() => WebhookAttemptFailureEnum, { nullable: true, description: 'Why there was no answer.' })
  failure!: AttemptFailure | null

  @Field(() => Int, { description: 'How long it took, in milliseconds.' })
  durationMs!: number
}

@ObjectType({ description: 'One event on its way to an address of the tenant.' })
export class WebhookDelivery {
  @Field(() => ID, { description: 'The id of the delivery; the `webhook-id` of every attempt.' })
  id!: string

  @Field(() => WebhookEventSourceEnum, { description: 'Whose event it tells of.' })
  source!: EventSource

  @Field(() => ID, {
    description: 'The id of the payment, order, subscription or verification that the event is about.',
  })
  resourceId!: string

  @Field(() => Int, { description: 'The number of the event among those of its resource.' })
  sequence!: number

  @Field(() => String, { description: 'The type of the event, e.g. `payment.success`.' })
  type!: string

  @Field(() => Url, { description: 'Where it is sent to.' })
  url!: string

  @Field(() => ID, { nullable: true, description: 'The integration whose secret signs it; null for the default.' })
  publicClientId!: string | null

  @Field(() => JsonValue, { description: 'What is sent.' })
  body!: unknown

  @Field(() => WebhookDeliveryStateEnum, { description: 'Where it stands.' })
  state!: DeliveryState

  @Field(() => [WebhookAttempt], { description: 'What was tried, oldest first.' })
  attempts!: WebhookAttempt[]

  @Field(() => DateTime, { nullable: true, description: 'When it is tried again; null before the first attempt.' })
  nextAttemptAt!: Date | null

  @Field(() => DateTime, { nullable: true, description: 'When the receiver last took it.' })
  deliveredAt!: Date | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'Since when its address has taken nothing; null when it does.',
  })
  endpointFailingSince!: Date | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'When a delivery to its address was dropped; null when it takes deliveries.',
  })
  endpointMarkedFailingAt!: Date | null

  @Field(() => DateTime, { description: 'When the event was taken up.' })
  createdAt!: Date
}

@ObjectType({ description: 'A delivery in a list.' })
export class WebhookDeliveryEdge {
  @Field(() => String, { description: 'Its position in the list.' })
  cursor!: string

  @Field(() => WebhookDelivery, { description: 'The delivery.' })
  node!: WebhookDelivery
}

@ObjectType({ description: 'A page of deliveries, newest first.' })
export class WebhookDeliveryConnection {
  @Field(() => [WebhookDeliveryEdge], { description: 'The deliveries.' })
  edges!: WebhookDeliveryEdge[]

  @Field(() => PageInfoType, { description: 'Where the page stands.' })
  pageInfo!: PageInfoType
}
