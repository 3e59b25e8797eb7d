import { defineEntity, p, type EntityManager, type InferEntity } from '@mikro-orm/postgresql'
import { inTransaction, type Database } from '../../../kernel/database.js'

/**
 * A signed transaction that a payment was given: written down with its hash before it is sent, so that after a crash the
 * chain can be asked whether it has it.
 */
export const RelayEntity = defineEntity({
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
export type Relay = InferEntity<typeof RelayEntity>

export interface RelaysStore {
  /** Adds a relay in the transaction of the payment's change. */
  add: (em: EntityManager, relay: Relay) => void
  /** Removes a relay that the chain refused, in the transaction of the payment's change. */
  remove: (em: EntityManager, relay: Relay) => Promise<void>
  find: (tenantId: string, paymentId: string, hash: string) => Promise<Relay | undefined>
  /** Whether a transaction was given to a payment, whichever tenant's. */
  isTaken: (em: EntityManager, relay: Pick<Relay, 'chainName' | 'hash'>) => Promise<boolean>
  mark: (relay: Relay, state: Relay['state'], checkAt?: Date) => Promise<void>
  /** Whether a chain has one that its payment was told about and that is not final. */
  hasUnfinal: (chainName: string) => Promise<boolean>
  /** Those that are due to be looked at again, the longest first. */
  findUnfinal: (chainName: string, now: Date, limit: number) => Promise<Relay[]>
  /** When to look at it again; null: never. */
  checkAt: (relay: Relay, at: Date | null) => Promise<void>
}

/** The relays in the schema of payments. Those of a change are written with it, so that neither exists without the other. */
export function relaysStore(db: Database): RelaysStore {
  const keyOf = ({ tenantId, paymentId, hash }: Relay) => ({ tenantId, paymentId, hash })
  return {
    add: (em, relay) => {
      em.persist(em.create(RelayEntity, relay))
    },
    remove: async (em, relay) => {
      await em.nativeDelete(RelayEntity, keyOf(relay))
    },
    find: (tenantId, paymentId, hash) =>
      inTransaction(db, async (em) => (await em.findOne(RelayEntity, { tenantId, paymentId, hash })) ?? undefined),
    isTaken: async (em, { chainName, hash }) => (await em.count(RelayEntity, { chainName, hash })) > 0,
    mark: (relay, state, checkAt) =>
      inTransaction(db, async (em) => {
        await em.nativeUpdate(RelayEntity, keyOf(relay), { state, ...(checkAt && { checkAt }) })
      }),
    hasUnfinal: (chainName) =>
      inTransaction(db, async (em) => (await em.findOne(RelayEntity, { chainName, checkAt: { $ne: null } })) !== null),
    findUnfinal: (chainName, now, limit) =>
      inTransaction(db, (em) =>
        em.find(RelayEntity, { chainName, checkAt: { $lte: now } }, { orderBy: { checkAt: 'asc' }, limit }),
      ),
    checkAt: (relay, checkAt) =>
      inTransaction(db, async (em) => {
        await em.nativeUpdate(RelayEntity, keyOf(relay), { checkAt })
      }),
  }
}
