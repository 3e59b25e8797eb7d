import { UniqueConstraintViolationException } from '@mikro-orm/postgresql'
import { withTimes, type RowOf } from '../../../kernel/columns.js'
import { run, type Database, type Queryable, type Transaction } from '../../../kernel/database.js'
import { INTEGRATION_COLUMNS, IntegrationEntity, type Integration } from './integration.entity.js'

/** Asked for at every delivery. $2: the public id, the default integration for null. */
const INTEGRATION = {
  name: 'accounts_integration',
  text: `select (select row_to_json(named) from (select ${INTEGRATION_COLUMNS}) as named) as integration
    from accounts.integration where tenant_id = $1 and (public_client_id = $2 or ($2::text is null and is_default))`,
}

/** The secrets of an integration, sealed, and until when the earlier ones sign too. */
export type IntegrationSecrets = Pick<
  Integration,
  'webhookSecret' | 'previousWebhookSecret' | 'previousUntil' | 'oldestWebhookSecret' | 'oldestUntil' | 'secretsBetween'
>

/** Integrations that are read at once where all of them are gone through. */
const BATCH = 500

/** Reads and writes of integrations, which hold the webhook secrets. */
export function integrationsStore(db: Database) {
  const em = () => db.orm.em.fork()
  return {
    /** Stores an integration. @returns false where its id is taken, by whomever */
    async addIntegration(integration: Integration): Promise<boolean> {
      try {
        await em().insert(IntegrationEntity, integration)
        return true
      } catch (error) {
        if (error instanceof UniqueConstraintViolationException) return false
        throw error
      }
    },

    /** The integrations of a tenant, oldest first. */
    listIntegrations(tenantId: string): Promise<Integration[]> {
      return em().find(IntegrationEntity, { tenantId }, { orderBy: { createdAt: 'asc', publicClientId: 'asc' } })
    },

    /** Some integrations of all tenants, by tenant and id, after the given one; none at the end. */
    nextIntegrations(after: Pick<Integration, 'tenantId' | 'publicClientId'> | undefined): Promise<Integration[]> {
      const { tenantId = '', publicClientId = '' } = after ?? {}
      const behind = { $or: [{ tenantId: { $gt: tenantId } }, { tenantId, publicClientId: { $gt: publicClientId } }] }
      const orderBy = { tenantId: 'asc', publicClientId: 'asc' } as const
      return em().find(IntegrationEntity, behind, { orderBy, limit: BATCH })
    },

    /** An integration of the tenant, the default one for null. */
    findIntegration: (tenantId: string, publicClientId: string | null) =>
      findIntegration(db.pool, tenantId, publicClientId),

    /** Sets or takes away the address, where there is such an integration. */
    async setWebhookUrl(
      transaction: Transaction,
      { tenantId, publicClientId }: Pick<Integration, 'tenantId' | 'publicClientId'>,
      webhookUrl: string | null,
    ): Promise<void> {
      await transaction.nativeUpdate(IntegrationEntity, { tenantId, publicClientId }, { webhookUrl })
    },

    /**
     * Gives an integration other sealed secrets: after a rotation, or the same ones sealed in another way.
     * @returns false where they were changed since it was read: a rotation would drop a secret that was shown a moment ago
     */
    async replaceSecret(
      transaction: Transaction,
      integration: Integration,
      secrets: IntegrationSecrets,
    ): Promise<boolean> {
      const { tenantId, publicClientId, webhookSecret } = integration
      const { previousWebhookSecret = null, oldestWebhookSecret = null } = integration
      const present = { tenantId, publicClientId, webhookSecret, previousWebhookSecret, oldestWebhookSecret }
      return (await transaction.nativeUpdate(IntegrationEntity, present, secrets)) === 1
    },
  }
}

async function findIntegration(
  pool: Queryable,
  tenantId: string,
  publicClientId: string | null,
): Promise<Integration | undefined> {
  const [row] = await run<{ integration: RowOf<Integration> }>(pool, INTEGRATION, [tenantId, publicClientId])
  return row && (withTimes(row.integration, ['createdAt', 'previousUntil', 'oldestUntil']) as Integration)
}
