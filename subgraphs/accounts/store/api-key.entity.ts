import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import type { Scope } from '../../../kernel/permissions.js'

/** What is kept of an API key; the key itself is shown once and nowhere stored. */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.string().primary(),
    /** Null for a platform key, which belongs to the deployment. */
    tenantId: p.string().nullable(),
    /** SHA-256, hex. */
    hash: p.string(),
    /** The first 12 characters, for display. */
    prefix: p.string(),
    name: p.string(),
    /** What it is narrowed to; null where it may do all that its tenant may. */
    scopes: p.array().$type<Scope[]>().nullable(),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    /** When it was used last, to the minute; null for never. */
    lastUsedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    /** The person who made it at the console; null where it was made on the command line. */
    createdBy: p.string().nullable(),
    /** The integration that uses it; null for the tenant's default one. */
    publicClientId: p.string().nullable(),
  },
})
export type ApiKey = InferEntity<typeof ApiKeyEntity>
