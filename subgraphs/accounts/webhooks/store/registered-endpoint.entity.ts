import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import type { KeptSecret } from '../../store/integration.entity.js'

/** How many endpoints a tenant may have. */
export const ENDPOINTS_MAX = 10

/** A place that a tenant has its events sent to, beside the contract's address. */
export const RegisteredEndpointEntity = defineEntity({
  name: 'RegisteredEndpoint',
  tableName: 'registered_endpoint',
  properties: {
    tenantId: p.string().primary(),
    id: p.string().primary(),
    url: p.text(),
    description: p.text().nullable(),
    /** The types that it gets; null for all, those of later releases included. */
    eventTypes: p.array().nullable(),
    /** The `whsec_` secret, sealed. */
    secret: p.text(),
    /** The one before the last rotation, sealed: it signs too until `previousUntil`. */
    previousSecret: p.text().nullable(),
    previousUntil: p.datetime(3).nullable(),
    /** The one that was in use when the first of several rotations began, sealed: it signs too until `oldestUntil`. */
    oldestSecret: p.text().nullable(),
    oldestUntil: p.datetime(3).nullable(),
    /** Those between the two whose time lasts, the newest first. */
    secretsBetween: p.json<KeptSecret[]>(),
    isEnabled: p.boolean(),
    /** When it was last switched off: what was to be delivered until then is not, also where it is on again. */
    endedUntil: p.datetime(3).nullable(),
    /** Since when it takes nothing; null when it does. */
    failingSince: p.datetime(3).nullable(),
    /** When a delivery to it was dropped. */
    markedFailingAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
})
export type RegisteredEndpoint = InferEntity<typeof RegisteredEndpointEntity>

/** What signs the deliveries to an endpoint, and what the seal is bound to. */
export type SealedSecrets = Pick<RegisteredEndpoint, 'tenantId' | 'id'> & EndpointSecrets

/** The secrets of an endpoint, sealed, and until when the earlier ones sign too. */
export type EndpointSecrets = Pick<
  RegisteredEndpoint,
  'secret' | 'previousSecret' | 'previousUntil' | 'oldestSecret' | 'oldestUntil' | 'secretsBetween'
>
