import { inTransaction, run, type Database, type Transaction } from '../../../kernel/database.js'
import type { Product } from '../../../kernel/tenant.js'
import { ApiKeyEntity, type ApiKey } from './api-key.entity.js'
import { IntegrationEntity, type Integration } from './integration.entity.js'
import { integrationsStore } from './integrations.js'
import { lockRole, lockSession, lockTenant } from './standing.js'
import { TenantEntity, type TenantAccount } from './tenant.entity.js'
import { tenantKeys } from './tenant-keys.js'
import { tenantSearch } from './tenant-search.js'

/** What the gateway needs to know of a key that is valid now. */
export interface KeyStatus {
  keyId: string
  tenantId: string | null
  products: readonly Product[]
  fiats: readonly string[] | null
  /** What the key is narrowed to; null where it is not. */
  scopes: readonly string[] | null
  /** The integration that uses the key; null for the tenant's default one. */
  publicClientId: string | null
  expiresAt: Date | null
}

/** When a key was used is written down once a minute: it is looked up every few seconds. */
const USED = {
  name: 'api_key_used',
  text: `update accounts.api_key set last_used_at = $2::timestamptz
    where id = $1 and (last_used_at is null or last_used_at <= $2::timestamptz - interval '1 minute')`,
}
const USE_MS = 60_000

/** Asked for every key every few seconds by every gateway: one prepared statement. */
const KEY_STATUS = {
  name: 'api_key_status',
  text: `select api_key.id as "keyId", tenant_id as "tenantId", coalesce(array_to_json(products), '[]')::text as products,
      array_to_json(fiats)::text as fiats, array_to_json(scopes)::text as scopes, expires_at as "expiresAt",
      last_used_at as "lastUsedAt", public_client_id as "publicClientId"
    from accounts.api_key left join accounts.tenant on tenant.id = tenant_id
    where hash = $1 and revoked_at is null and disabled_at is null and (expires_at is null or expires_at > $2::timestamptz)`,
}

export type AccountsStore = ReturnType<typeof accountsStore>

/** Reads and writes of tenants, keys and integrations. */
export function accountsStore(db: Database) {
  const em = () => db.orm.em.fork()
  return {
    /** Stores a tenant with its first integration and its first key: all or nothing. */
    async addTenant(tenant: TenantAccount, integration: Integration, key: ApiKey): Promise<void> {
      await inTransaction(db, async (transaction) => {
        await insertTenant(transaction, tenant, integration)
        await transaction.insert(ApiKeyEntity, key)
      })
    },

    insertTenant,
    lockRole,
    lockSession,
    lockTenant,

    findTenant: async (id: string): Promise<TenantAccount | undefined> =>
      (await em().findOne(TenantEntity, { id })) ?? undefined,

    /** Tenants with lower ids than `after`, newest first: ids are in the order of time. */
    listTenants(after: string | undefined, limit: number): Promise<TenantAccount[]> {
      const where = after === undefined ? {} : { id: { $lt: after } }
      return em().find(TenantEntity, where, { orderBy: { id: 'desc' }, limit })
    },

    async changeTenant(
      id: string,
      change: Partial<Pick<TenantAccount, 'name' | 'products' | 'disabledAt'>>,
    ): Promise<void> {
      await em().nativeUpdate(TenantEntity, { id }, change)
    },

    /** Narrows the fiat currencies of a tenant; null for those of the deployment. */
    async limitFiats(id: string, fiats: readonly string[] | null): Promise<void> {
      await em().nativeUpdate(TenantEntity, { id }, { fiats: fiats && [...fiats] })
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

    /** A key by its hash, which is used by being asked for; undefined where it is unknown, expired or revoked, or its tenant is disabled. */
    async keyStatus(hash: string, now: Date): Promise<KeyStatus | undefined> {
      const [row] = await run<KeyStatusRow>(db.pool, KEY_STATUS, [hash, now.toISOString()])
      if (!row) return undefined
      const { lastUsedAt, ...status } = row
      if (lastUsedAt === null || now.getTime() - Date.parse(lastUsedAt) >= USE_MS) {
        await run(db.pool, USED, [row.keyId, now.toISOString()])
      }
      return {
        ...status,
        products: JSON.parse(row.products) as Product[],
        fiats: row.fiats === null ? null : (JSON.parse(row.fiats) as string[]),
        scopes: row.scopes === null ? null : (JSON.parse(row.scopes) as string[]),
        expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt),
      }
    },

    ...integrationsStore(db),
    ...tenantKeys(db),
    ...tenantSearch(db),
  }
}

/** A tenant with its first integration, as a part of a transaction. */
async function insertTenant(em: Transaction, tenant: TenantAccount, integration: Integration): Promise<void> {
  await em.insert(TenantEntity, tenant)
  await em.insert(IntegrationEntity, integration)
}

type KeyStatusRow = Record<'keyId' | 'products', string> &
  Record<'tenantId' | 'fiats' | 'scopes' | 'publicClientId' | 'expiresAt' | 'lastUsedAt', string | null>
