import { defineEntity, p, type EntityManager, type InferEntity } from '@mikro-orm/postgresql'
import { inTransaction, type Database } from '../../../kernel/database.js'

/**
 * A signed transaction that a payment was given: written down with its hash before it is sent, so that after a crash the
 * chain can be asked whether it has it.
 */
export const BroadcastEntity = defineEntity({
  name: 'Relay',
  tableName: 'relay',
  properties: {
    tenantId: p.string().primary(),
    paymentId: p.string().primary(),
    hash: p.string().primary(),
    chainName: p.string(),
    raw: p.text(),
    /** `stored`: not known to be sent; `sent`: the chain took it; `final`: confirmed or reverted, nothing to do. */
    state: p.string().$type<'stored' | 'sent' | 'final'>(),
    createdAt: p.datetime(3),
    /** When to look whether the chain still has it, though its payment was told that it is paid; null once that is final. */
    checkAt: p.datetime(3).nullable(),
  },
})
export type Broadcast = InferEntity<typeof BroadcastEntity>

export interface BroadcastsStore {
  /** Adds a broadcast in the transaction of the payment's change. */
  add: (em: EntityManager, broadcast: Broadcast) => void
  /** Removes a broadcast that the chain refused, in the transaction of the payment's change. */
  remove: (em: EntityManager, broadcast: Broadcast) => Promise<void>
  find: (tenantId: string, paymentId: string, hash: string) => Promise<Broadcast | undefined>
  /** Whether a transaction was given to a payment, whichever tenant's. */
  isTaken: (em: EntityManager, broadcast: Pick<Broadcast, 'chainName' | 'hash'>) => Promise<boolean>
  mark: (broadcast: Broadcast, state: Broadcast['state'], checkAt?: Date) => Promise<void>
  /** Whether a chain has one that its payment was told about and that is not final. */
  hasUnfinal: (chainName: string) => Promise<boolean>
  /** Those that are due to be looked at again, the longest first. */
  findUnfinal: (chainName: string, now: Date, limit: number) => Promise<Broadcast[]>
  /** When to look at it again; null: never. */
  checkAt: (broadcast: Broadcast, at: Date | null) => Promise<void>
}

/** The broadcasts in the schema of payments. Those of a change are written with it, so that neither exists without the other. */
export function broadcastsStore(db: Database): BroadcastsStore {
  const keyOf = ({ tenantId, paymentId, hash }: Broadcast) => ({ tenantId, paymentId, hash })
  return {
    add: (em, broadcast) => {
      em.persist(em.create(BroadcastEntity, broadcast))
    },
    remove: async (em, broadcast) => {
      await em.nativeDelete(BroadcastEntity, keyOf(broadcast))
    },
    find: (tenantId, paymentId, hash) =>
      inTransaction(db, async (em) => (await em.findOne(BroadcastEntity, { tenantId, paymentId, hash })) ?? undefined),
    isTaken: async (em, { chainName, hash }) => (await em.count(BroadcastEntity, { chainName, hash })) > 0,
    mark: (broadcast, state, checkAt) =>
      inTransaction(db, async (em) => {
        await em.nativeUpdate(BroadcastEntity, keyOf(broadcast), { state, ...(checkAt && { checkAt }) })
      }),
    hasUnfinal: (chainName) =>
      inTransaction(
        db,
        async (em) => (await em.findOne(BroadcastEntity, { chainName, checkAt: { $ne: null } })) !== null,
      ),
    findUnfinal: (chainName, now, limit) =>
      inTransaction(db, (em) =>
        em.find(BroadcastEntity, { chainName, checkAt: { $lte: now } }, { orderBy: { checkAt: 'asc' }, limit }),
      ),
    checkAt: (broadcast, checkAt) =>
      inTransaction(db, async (em) => {
        await em.nativeUpdate(BroadcastEntity, keyOf(broadcast), { checkAt })
      }),
  }
}
