import { createUnionType, Directive, Field, ID, ObjectType } from 'type-graphql'
import type { DeliveryRecord } from '../store/webhook-deliveries.js'
import type { EventSource } from '../store/webhook.entity.js'

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'A payment: what a tenant asked for, how it is paid, and where it stands.' })
class Payment {
  @Field(() => ID, { description: 'The id of the payment.' })
  id!: string
}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'A reusable checkout order: the terms from which payments are registered.' })
class Order {
  @Field(() => ID, { description: 'The id of the order.' })
  id!: string
}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({
  description:
    "A payer's subscription: it began with the first successful payment of an order, or of one that had its terms, or with a trial.",
})
class PaymentSubscription {
  @Field(() => ID, { description: 'The id of the subscription.' })
  id!: string
}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'A part of a payment, or all of it, that goes back to its payer.' })
class Refund {
  @Field(() => ID, { description: 'The id of the refund.' })
  id!: string
}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: "A person's or business's identity verification." })
class KycRecord {
  @Field(() => ID, { description: 'An opaque id of the person or business.' })
  id!: string
}

/** The type of the resource of each source; a test event has none. */
const TYPES: Readonly<Record<EventSource, string | null>> = {
  payments: 'Payment',
  subscriptions: 'PaymentSubscription',
  orders: 'Order',
  kyc: 'KycRecord',
  refunds: 'Refund',
  tests: null,
}

/** What a delivery is about, for the subgraph that has it. */
export interface ResourceReference {
  id: string
  typename: string
}

/** The reference of a delivery; null for a test. */
export function resourceOf({ source, resourceId }: DeliveryRecord): ResourceReference | null {
  const typename = TYPES[source]
  return typename === null ? null : { id: resourceId, typename }
}

export const WebhookResource = createUnionType({
  name: 'WebhookResource',
  description: 'What an event is about.',
  types: () => [Payment, Order, PaymentSubscription, Refund, KycRecord] as const,
  resolveType: (reference) => (reference as unknown as ResourceReference).typename,
})
