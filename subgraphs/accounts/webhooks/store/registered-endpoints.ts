import { executeIn, type Database, type Transaction } from '../../../../kernel/database.js'
import {
  ENDPOINTS_MAX,
  RegisteredEndpointEntity,
  type EndpointSecrets,
  type RegisteredEndpoint,
} from './registered-endpoint.entity.js'

/** What may be changed of an endpoint; what is left out stays. */
export type EndpointChange = Partial<
  Pick<
    RegisteredEndpoint,
    'url' | 'description' | 'eventTypes' | 'isEnabled' | 'endedUntil' | 'failingSince' | 'markedFailingAt'
  >
>

/** Endpoints that are read at once where all of them are gone through. */
const BATCH = 500

export type RegisteredEndpoints = ReturnType<typeof registeredEndpoints>

/** Reads and writes of registered endpoints. Another tenant's endpoint does not exist. */
export function registeredEndpoints(db: Database) {
  const em = () => db.orm.em.fork()
  return {
    /** A tenant's endpoints, oldest first: `ENDPOINTS_MAX` at most. */
    list: (tenantId: string): Promise<RegisteredEndpoint[]> =>
      em().find(RegisteredEndpointEntity, { tenantId }, { orderBy: { createdAt: 'asc', id: 'asc' } }),

    async find(tenantId: string, id: string): Promise<RegisteredEndpoint | undefined> {
      return (await em().findOne(RegisteredEndpointEntity, { tenantId, id })) ?? undefined
    },

    /** Stores an endpoint. @returns false where the tenant has as many as it may have, also where several come at once */
    async add(transaction: Transaction, endpoint: RegisteredEndpoint): Promise<boolean> {
      const { tenantId } = endpoint
      // Those who add at once count one after the other.
      await executeIn(transaction, 'select pg_advisory_xact_lock(hashtextextended(?, 0))', [
        `registered_endpoint:${tenantId}`,
      ])
      if ((await transaction.count(RegisteredEndpointEntity, { tenantId })) >= ENDPOINTS_MAX) return false
      await transaction.insert(RegisteredEndpointEntity, endpoint)
      return true
    },

    /** Changes an endpoint. @returns it as it is then */
    async change(
      transaction: Transaction,
      { tenantId, id }: Pick<RegisteredEndpoint, 'tenantId' | 'id'>,
      change: EndpointChange,
    ): Promise<RegisteredEndpoint | undefined> {
      if (Object.keys(change).length > 0) {
        await transaction.nativeUpdate(RegisteredEndpointEntity, { tenantId, id }, change)
      }
      return (await transaction.findOne(RegisteredEndpointEntity, { tenantId, id })) ?? undefined
    },

    /** Removes an endpoint with its secrets. @returns it as it was */
    async remove(transaction: Transaction, tenantId: string, id: string): Promise<RegisteredEndpoint | undefined> {
      const found = await transaction.findOne(RegisteredEndpointEntity, { tenantId, id })
      if ((await transaction.nativeDelete(RegisteredEndpointEntity, { tenantId, id })) === 0) return undefined
      return found ?? undefined
    },

    /**
     * Gives an endpoint other sealed secrets: after a rotation, or the same ones sealed in another way.
     * @returns false where they were changed since it was read
     */
    async replaceSecret(
      transaction: Transaction,
      endpoint: RegisteredEndpoint,
      secrets: EndpointSecrets,
    ): Promise<boolean> {
      const { tenantId, id, secret, previousSecret = null, oldestSecret = null } = endpoint
      const present = { tenantId, id, secret, previousSecret, oldestSecret }
      return (await transaction.nativeUpdate(RegisteredEndpointEntity, present, secrets)) === 1
    },

    /** Some endpoints of all tenants, by tenant and id, after the given one; none at the end. */
    nextEndpoints(after: Pick<RegisteredEndpoint, 'tenantId' | 'id'> | undefined): Promise<RegisteredEndpoint[]> {
      const { tenantId = '', id = '' } = after ?? {}
      const behind = { $or: [{ tenantId: { $gt: tenantId } }, { tenantId, id: { $gt: id } }] }
      return em().find(RegisteredEndpointEntity, behind, { orderBy: { tenantId: 'asc', id: 'asc' }, limit: BATCH })
    },
  }
}
