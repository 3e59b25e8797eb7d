import { executeIn, type Database, type Transaction } from '../../../kernel/database.js'
import { ApiKeyEntity, type ApiKey } from './api-key.entity.js'
import { lockTenant } from './standing.js'

export const KEYS_LISTED = 200

/** How many keys of a tenant work. Those that have expired are not read: two looks into an index by their ends. */
export const COUNT_WORKING = `select count(*)::int as count from accounts.api_key where tenant_id = ? and revoked_at is null
  and (expires_at is null or expires_at > ?::timestamptz)`

/** Keys: how they are made, and how the people of a tenant look after theirs. */
export function tenantKeys(db: Database) {
  const em = () => db.orm.em.fork()
  return {
    /** Stores a key, whosever it is. */
    async addKey(key: ApiKey): Promise<void> {
      await em().insert(ApiKeyEntity, key)
    },

    /** Stores a key of a tenant. @returns false where so many of its keys work already */
    async addKeyWithin(transaction: Transaction, key: ApiKey, max: number): Promise<boolean> {
      // Two at once are counted one after the other.
      await lockTenant(transaction, key.tenantId ?? '')
      const values = [key.tenantId, key.createdAt.toISOString()]
      const [working] = await executeIn<{ count: number }>(transaction, COUNT_WORKING, values)
      if (!working || working.count >= max) return false
      await transaction.insert(ApiKeyEntity, key)
      return true
    },

    /** The newest keys of a tenant; expired and revoked ones too. */
    listNewestKeys(tenantId: string): Promise<ApiKey[]> {
      return em().find(ApiKeyEntity, { tenantId }, { orderBy: { id: 'desc' }, limit: KEYS_LISTED })
    },

    /** Revokes the keys of a tenant that a person made. */
    async revokeKeysOf(transaction: Transaction, tenantId: string, createdBy: string, at: Date): Promise<void> {
      await transaction.nativeUpdate(ApiKeyEntity, { tenantId, createdBy, revokedAt: null }, { revokedAt: at })
    },

    /** Revokes a key of a tenant. @returns the key as it is now; undefined where the tenant has none of that id */
    async revokeTenantKey(
      transaction: Transaction,
      tenantId: string,
      id: string,
      at: Date,
    ): Promise<ApiKey | undefined> {
      await transaction.nativeUpdate(ApiKeyEntity, { id, tenantId, revokedAt: null }, { revokedAt: at })
      return (await transaction.findOne(ApiKeyEntity, { id, tenantId })) ?? undefined
    },
  }
}
