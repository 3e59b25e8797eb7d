import { ID, InputType, ObjectType } from 'type-graphql'
import { DateTime, Url } from '../../../../kernel/scalars.js'
import { Fields } from '../../../../kernel/subgraph-fields.js'
import type { EndpointPatch, NewEndpoint } from '../endpoints.js'
import { EVENT_TYPES } from '../event-types.js'
import type { RegisteredEndpoint } from '../store/registered-endpoint.entity.js'

const TYPE_LIST = EVENT_TYPES.map((type) => `\`${type}\``).join(', ')

type Unshown =
  'tenantId' | 'secret' | 'previousSecret' | 'oldestSecret' | 'oldestUntil' | 'secretsBetween' | 'endedUntil'

@Fields<Omit<RegisteredEndpoint, Unshown>>('answer', {
  id: { type: () => ID, description: 'The id of the endpoint.' },
  url: { type: () => Url, description: 'Where events are sent to.' },
  description: { type: () => String, description: 'What the tenant calls it.', nullable: true },
  eventTypes: {
    type: () => [String],
    description: 'The types of events that it gets; null for all, later ones included.',
    nullable: true,
  },
  isEnabled: {
    type: () => Boolean,
    description: 'Whether it gets events. What happens while it does not is not delivered later.',
  },
  previousUntil: {
    type: () => DateTime,
    description: 'Until when the secret before the last rotation signs, or signed, too; null before the first.',
    nullable: true,
  },
  failingSince: {
    type: () => DateTime,
    description:
      'Since when it has taken nothing: the first attempt that failed since the last one that it took. Null when it takes deliveries.',
    nullable: true,
  },
  markedFailingAt: {
    type: () => DateTime,
    description:
      'When a delivery to it was dropped, all its attempts used up: it is marked failing. Null when it takes deliveries.',
    nullable: true,
  },
  createdAt: { type: () => DateTime, description: 'When it was registered.' },
})
@ObjectType('WebhookEndpoint', {
  description: "An address that gets a tenant's events beside the one that payments, orders and integrations name.",
})
export class WebhookEndpointType {}

@Fields('answer', {
  webhookEndpoint: { type: () => WebhookEndpointType, description: 'The endpoint.' },
  secret: {
    type: () => String,
    description: 'The secret that signs its deliveries, which is shown now and never again.',
  },
})
@ObjectType({ description: 'A webhook endpoint at its creation.' })
export class CreatedWebhookEndpoint {}

@Fields<NewEndpoint>('input', {
  url: { type: () => String, description: 'Where to send events: https, and public.' },
  events: {
    type: () => [String],
    nullable: true,
    description: `The types of events that it gets, at least one; left out or null for all. ${TYPE_LIST}.`,
  },
  description: { type: () => String, nullable: true, description: 'What to call it, at most 200 characters.' },
})
@InputType({ description: 'A new webhook endpoint.' })
export class CreateWebhookEndpointInput {}

@Fields<EndpointPatch>('input', {
  url: { type: () => String, nullable: true, description: 'Where to send events: https, and public.' },
  events: {
    type: () => [String],
    nullable: true,
    description: `The types of events that it gets; null for all. ${TYPE_LIST}.`,
  },
  description: { type: () => String, nullable: true, description: 'What to call it; null for nothing.' },
  isEnabled: {
    type: () => Boolean,
    nullable: true,
    description: 'Off: its open deliveries end, and what happens until it is on again is not delivered later.',
  },
})
@InputType({ description: 'What is to change of a webhook endpoint; what is left out stays.' })
export class UpdateWebhookEndpointInput {}
