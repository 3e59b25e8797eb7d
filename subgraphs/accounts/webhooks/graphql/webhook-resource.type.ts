import { createUnionType, Directive, ID, ObjectType } from 'type-graphql'
import { Fields } from '../../../../kernel/subgraph-fields.js'
import type { DeliveryRecord } from '../store/webhook-deliveries.js'
import type { EventSource } from '../store/webhook.entity.js'

/** A type of another subgraph, of which an event names the id alone. */
function resourceType(name: string, says: { type: string; id: string }): new () => object {
  class Resource {}
  Fields('answer', { id: { type: () => ID, description: says.id } })(Resource)
  Directive('@key(fields: "id", resolvable: false)')(Resource)
  ObjectType(name, { description: says.type })(Resource)
  return Resource
}

const RESOURCES = [
  resourceType('Payment', {
    type: 'A payment: what a tenant asked for, how it is paid, and where it stands.',
    id: 'The id of the payment.',
  }),
  resourceType('Order', {
    type: 'A reusable checkout order: the terms from which payments are registered.',
    id: 'The id of the order.',
  }),
  resourceType('PaymentSubscription', {
    type: "A payer's subscription: it began with the first successful payment of an order, or of one that had its terms, or with a trial.",
    id: 'The id of the subscription.',
  }),
  resourceType('Refund', {
    type: 'A part of a payment, or all of it, that goes back to its payer.',
    id: 'The id of the refund.',
  }),
  resourceType('KycRecord', {
    type: "A person's or business's identity verification.",
    id: 'An opaque id of the person or business.',
  }),
] as const

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
  types: () => RESOURCES,
  resolveType: (reference) => (reference as unknown as ResourceReference).typename,
})
