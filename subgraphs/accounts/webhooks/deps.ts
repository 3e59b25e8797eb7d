import type { AddressGuard } from '../../../kernel/address-guard.js'
import type { Clock } from '../../../kernel/clock.js'
import type { KeyRing } from '../../../kernel/encryption.js'
import type { IdSource } from '../../../kernel/ids.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import type { DeliverySlots } from './delivery-slots.js'
import type { EndpointQueue } from './store/endpoint-queue.js'
import type { SealedSecrets } from './store/registered-endpoint.entity.js'
import type { NotedAccesses } from './store/noted-accesses.js'
import type { RegisteredEndpoints } from './store/registered-endpoints.js'
import type { WebhookDeliveries } from './store/webhook-deliveries.js'
import type { WebhookQueue } from './store/webhook-queue.js'
import type { RenderedEvent, ResourceEvent as OneEvent } from '../../../kernel/resource-event.js'
import type { EventSource } from './store/webhook.entity.js'

/** An event of a subgraph whose webhooks are told. */
export type ResourceEvent = OneEvent<EventSource>

/** What the jobs need. */
export interface WebhookDeps {
  clock: Clock
  newId: IdSource
  /** Seals the bodies of deliveries that carry people's data, and what receivers answered. */
  keyRing: KeyRing
  queue: WebhookQueue
  slots: DeliverySlots
  endpointQueue: EndpointQueue
  /** Of registered endpoints, each by itself: one that is dead takes none of the others'. */
  endpointSlots: DeliverySlots
  guard: Pick<AddressGuard, 'request'>
  /** Undefined where there is no such event or tenants are not told of it; the same answer at every call. */
  renderEvent: (event: ResourceEvent) => Promise<RenderedEvent | undefined>
  /** The `whsec_` secrets to sign with, more than one while they are rotated. */
  secretsOf: (tenantId: string, publicClientId: string | null) => Promise<readonly string[]>
  /** What signs the deliveries to a registered endpoint. */
  openEndpointSecrets: (endpoint: SealedSecrets) => readonly string[]
  /** How long a receiver may take for one attempt; 15 seconds unless a test says otherwise. */
  attemptTimeoutMs?: number
}

/** What reading and replaying deliveries needs; a part of the deps of accounts. */
export interface WebhookReadDeps {
  webhookDeliveries: WebhookDeliveries
  registeredEndpoints: RegisteredEndpoints
}

/** What the resolvers of webhooks find in their context. */
export type WebhookContext = SubgraphContext<WebhookReadDeps & { keyRing: KeyRing; notedAccesses: NotedAccesses }>
