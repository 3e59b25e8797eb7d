import type { QueryResultRow } from 'pg'
import { inTransaction, run, type Database, type Queryable } from '../../../kernel/database.js'
import type { Product } from '../../../kernel/tenant.js'
import { ApiKeyEntity, type ApiKey } from './api-key.entity.js'
import { IntegrationEntity, type Integration } from './integration.entity.js'
import { TenantEntity, type TenantAccount } from './tenant.entity.js'

/** What the gateway needs to know of a key that is valid now. */
export interface KeyStanding {
  keyId: string
  tenantId: string | null
  products: readonly Product[]
  expiresAt: Date | null
}

/** Asked for every key every few seconds by every gateway: one prepared statement. */
const STANDING = {
  name: 'api_key_standing',
  text: `select api_key.id as "keyId", tenant_id as "tenantId", coalesce(array_to_json(products), '[]')::text as products,
      expires_at as "expiresAt"
    from accounts.api_key left join accounts.tenant on tenant.id = tenant_id
    where hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2::timestamptz)`,
}

export type AccountsStore = ReturnType<typeof accountsStore>

/** Asked for at every delivery. $2: the public id, the default integration for null. */
const INTEGRATION = {
  name: 'accounts_integration',
  text: `select (select row_to_json(named) from (select tenant_id as "tenantId", public_client_id as "publicClientId",
      webhook_secret as "webhookSecret", previous_webhook_secret as "previousWebhookSecret",
      previous_until as "previousUntil", webhook_url as "webhookUrl", is_default as "isDefault",
      created_at as "createdAt") as named) as integration
    from accounts.integration where tenant_id = $1 and (public_client_id = $2 or ($2::text is null and is_default))`,
}

/** A row of `INTEGRATION`; timestamps are ISO 8601 texts. */
interface IntegrationRow extends QueryResultRow {
  integration: Omit<Integration, 'createdAt' | 'previousUntil'> & { createdAt: string; previousUntil: string | null }
}

/** Reads and writes of tenants, keys and integrations. */
export function accountsStore(db: Database) {
  const em = () => db.orm.em.fork()
  return {
    /** Stores a tenant with its first integration and its first key: all or nothing. */
    async addTenant(tenant: TenantAccount, integration: Integration, key: ApiKey): Promise<void> {
      await inTransaction(db, async (transaction) => {
        await transaction.insert(TenantEntity, tenant)
        await transaction.insert(IntegrationEntity, integration)
        await transaction.insert(ApiKeyEntity, key)
      })
    },

    async findTenant(id: string): Promise<TenantAccount | undefined> {
      return (await em().findOne(TenantEntity, { id })) ?? undefined
    },

    async addKey(key: ApiKey): Promise<void> {
      await em().insert(ApiKeyEntity, key)
    },

    /** The keys of a tenant, or of the deployment, newest first; expired and revoked ones too. */
    listKeys(tenantId: string | null): Promise<ApiKey[]> {
      return em().find(ApiKeyEntity, { tenantId }, { orderBy: { id: 'desc' } })
    },

    /** Revokes a key; one that is revoked already stays so since then. @returns the key as it is now */
    async revokeKey(id: string, at: Date): Promise<ApiKey | undefined> {
      await em().nativeUpdate(ApiKeyEntity, { id, revokedAt: null }, { revokedAt: at })
      return (await em().findOne(ApiKeyEntity, { id })) ?? undefined
    },

    /** A key by its hash; undefined where it is unknown, expired or revoked. */
    async standing(hash: string, now: Date): Promise<KeyStanding | undefined> {
      const [row] = await run<StandingRow>(db.pool, STANDING, [hash, now.toISOString()])
      if (!row) return undefined
      return {
        ...row,
        products: JSON.parse(row.products) as Product[],
        expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt),
      }
    },

    async addIntegration(integration: Integration): Promise<void> {
      await em().insert(IntegrationEntity, integration)
    },

    /** The integrations of a tenant, oldest first. */
    listIntegrations(tenantId: string): Promise<Integration[]> {
      return em().find(IntegrationEntity, { tenantId }, { orderBy: { createdAt: 'asc', publicClientId: 'asc' } })
    },

    /** An integration of the tenant, the default one for null. */
    findIntegration: (tenantId: string, publicClientId: string | null) =>
      findIntegration(db.pool, tenantId, publicClientId),

    /** Gives an integration another sealed secret; the present one stays beside it until `previousUntil`. */
    async replaceSecret(integration: Integration, webhookSecret: string, previousUntil: Date): Promise<boolean> {
      const { tenantId, publicClientId, webhookSecret: previousWebhookSecret } = integration
      const changed = await em().nativeUpdate(
        IntegrationEntity,
        // Two rotations at once: the second one would drop a secret that was shown a moment ago.
        { tenantId, publicClientId, webhookSecret: previousWebhookSecret },
        { webhookSecret, previousWebhookSecret, previousUntil },
      )
      return changed === 1
    },
  }
}

type StandingRow = Record<'keyId' | 'products', string> & Record<'tenantId' | 'expiresAt', string | null>

async function findIntegration(
  pool: Queryable,
  tenantId: string,
  publicClientId: string | null,
): Promise<Integration | undefined> {
  const [row] = await run<IntegrationRow>(pool, INTEGRATION, [tenantId, publicClientId])
  if (!row) return undefined
  const { createdAt, previousUntil, ...integration } = row.integration
  return {
    ...integration,
    createdAt: new Date(createdAt),
    previousUntil: previousUntil === null ? null : new Date(previousUntil),
  }
}
