import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import { columnsOf } from '../../../kernel/columns.js'

/** An earlier secret, sealed, and until when it signs, ISO 8601. */
export interface KeptSecret {
  sealed: string
  until: string
}

const properties = {
  tenantId: p.string().primary(),
  publicClientId: p.string().primary(),
  /** The `whsec_` secret, sealed. */
  webhookSecret: p.text(),
  /** The one before the last rotation, sealed: it signs too until `previousUntil`. */
  previousWebhookSecret: p.text().nullable(),
  previousUntil: p.datetime(3).nullable(),
  /** The one that was in use when the first of several rotations began, sealed: it signs too until `oldestUntil`. */
  oldestWebhookSecret: p.text().nullable(),
  oldestUntil: p.datetime(3).nullable(),
  /** Those between the two whose time lasts, the newest first. */
  secretsBetween: p.json<KeptSecret[]>(),
  /** Where events go when a payment or an order names no address. */
  webhookUrl: p.text().nullable(),
  /** The one that stands in where none is named; a tenant has one. */
  isDefault: p.boolean(),
  createdAt: p.datetime(3),
}

/** One place where a tenant uses the API: its public id, and how the tenant is told of events. */
export const IntegrationEntity = defineEntity({ name: 'Integration', tableName: 'integration', properties })
export type Integration = InferEntity<typeof IntegrationEntity>
export const INTEGRATION_COLUMNS = columnsOf(Object.keys(properties))
