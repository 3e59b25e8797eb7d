import { defineEntity, LockMode, p, type EntityManager, type InferEntity } from '@mikro-orm/postgresql'
import { inTransaction, type Database } from '../../../kernel/database.js'
import { MISSING_MAX_MS } from '../model/missing-broadcast.js'

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
    /** The wallet that signed it, in lower case, as one address may be written in several ways; null in rows of older releases. */
    payer: p.text().nullable(),
    /** `stored`: not known to be sent; `sent`: the chain took it; `final`: confirmed or reverted, nothing to do. */
    state: p.string().$type<'stored' | 'sent' | 'final'>(),
    /** Whether a node may have taken it while it is `stored`: an answer left that open. */
    mayBeSent: p.boolean(),
    createdAt: p.datetime(3),
    /** When to look whether the chain still has it, though its payment was told that it is paid; null once that is final. */
    checkAt: p.datetime(3).nullable(),
    /** Since when no node shows it, though its payment was told that it is paid; null where one did at the last look. */
    missingSince: p.datetime(3).nullable(),
    /** Since when what its split's address holds cannot be shared out again; null where the last look could, or had nothing to. */
    refusedSince: p.datetime(3).nullable(),
  },
})
export type Broadcast = InferEntity<typeof BroadcastEntity>

/** What a look has shown. */
type Seen = Pick<Broadcast, 'checkAt' | 'missingSince' | 'refusedSince'>

export type BroadcastsStore = ReturnType<typeof broadcastsStore>

/** Of one wallet: a reorganisation drops the newest, and wallets of shops pay many. */
const UNFINAL_MAX = 50

/** The broadcasts in the schema of payments. Those of a change are written with it, so that neither exists without the other. */
export function broadcastsStore(db: Database) {
  const changeStored = (broadcast: Broadcast, change: Partial<Pick<Broadcast, 'state' | 'mayBeSent'>>): Promise<void> =>
    inTransaction(db, async (em) => {
      await em.nativeUpdate(BroadcastEntity, { ...keyOf(broadcast), state: 'stored' }, change)
    })
  return {
    /** Adds a broadcast in the transaction of the payment's change. */
    add: (em: EntityManager, broadcast: Broadcast): void => {
      em.persist(em.create(BroadcastEntity, broadcast))
    },
    /** Removes a broadcast that the chain refused, in the transaction of the payment's change. */
    remove: async (em: EntityManager, broadcast: Broadcast): Promise<void> => {
      await em.nativeDelete(BroadcastEntity, keyOf(broadcast))
    },
    find: (tenantId: string, paymentId: string, hash: string): Promise<Broadcast | undefined> =>
      inTransaction(db, async (em) => (await em.findOne(BroadcastEntity, { tenantId, paymentId, hash })) ?? undefined),
    ...ownersOf(db),
    markSent: (broadcast: Broadcast): Promise<void> => changeStored(broadcast, { state: 'sent' }),
    markDoubt: (broadcast: Broadcast): Promise<void> => changeStored(broadcast, { mayBeSent: true }),
    /**
     * In the transaction of the payment's change: what was told as paid is looked at again, wherever a process dies. Once: how far it was
     * followed since then stays.
     * @param checkAt when to look at it again; null: never
     */
    markFinal: async (em: EntityManager, broadcast: Broadcast, checkAt: Date | null): Promise<void> => {
      const open = { ...keyOf(broadcast), state: { $ne: 'final' as const } }
      await em.nativeUpdate(BroadcastEntity, open, { state: 'final', checkAt })
    },
    /** Whether a chain has one that its payment was told about and that is not final. */
    hasUnfinal: (chainName: string): Promise<boolean> =>
      inTransaction(
        db,
        async (em) => (await em.findOne(BroadcastEntity, { chainName, checkAt: { $ne: null } })) !== null,
      ),
    /** Takes those that are due to be looked at again, the longest first; until then nobody else does. */
    takeUnfinal: (chainName: string, now: Date, limit: number, until: Date): Promise<Broadcast[]> =>
      inTransaction(db, async (em) => {
        const lockMode = LockMode.PESSIMISTIC_PARTIAL_WRITE
        const longestFirst = { orderBy: { checkAt: 'asc' }, limit, lockMode } as const
        const due = await em.find(BroadcastEntity, { chainName, checkAt: { $lte: now } }, longestFirst)
        // A hash is one payment's, see `isTaken`.
        const hash = { $in: due.map((one) => one.hash) }
        if (due.length > 0) await em.nativeUpdate(BroadcastEntity, { chainName, hash }, { checkAt: until })
        return due
      }),
    /** The newest bytes that a wallet has paid other payments with on a chain, as far as they are neither final nor given up; any tenant's. */
    unfinalOf: async (chainName: string, payer: string, exceptPaymentId: string, now: Date): Promise<string[]> =>
      inTransaction(db, async (em) => {
        const of = {
          chainName,
          payer: payer.toLowerCase(),
          paymentId: { $ne: exceptPaymentId },
          checkAt: { $ne: null },
        }
        const isKept = {
          $or: [{ missingSince: null }, { missingSince: { $gt: new Date(now.getTime() - MISSING_MAX_MS) } }],
        }
        const newest = { orderBy: { createdAt: 'desc' }, limit: UNFINAL_MAX } as const
        return (await em.find(BroadcastEntity, { ...of, ...isKept }, newest)).map(({ raw }) => raw)
      }),
    /** Notes what a look has shown. @param seen.checkAt when to look at it again; null: never */
    noteLook: (broadcast: Broadcast, seen: Seen): Promise<void> =>
      inTransaction(db, async (em) => {
        await em.nativeUpdate(BroadcastEntity, keyOf(broadcast), seen)
      }),
  }
}

/** Which payment a transaction is given to: one, whichever tenant's. */
function ownersOf(db: Database) {
  return {
    /** Whether a transaction was given to a payment. */
    isTaken: async (em: EntityManager, { chainName, hash }: Pick<Broadcast, 'chainName' | 'hash'>): Promise<boolean> =>
      (await em.count(BroadcastEntity, { chainName, hash })) > 0,
    /** Whether a transaction was given to another payment than this one. */
    isAnothers: (of: Pick<Broadcast, 'chainName' | 'hash' | 'paymentId'>): Promise<boolean> =>
      inTransaction(db, async (em) => {
        const { chainName, hash, paymentId } = of
        return (await em.count(BroadcastEntity, { chainName, hash, paymentId: { $ne: paymentId } })) > 0
      }),
    /**
     * Gives a payment, in the transaction of its change, the hash under which it is paid: its wallet has sent the same call as a
     * broadcast by another hash.
     */
    claim: async (em: EntityManager, broadcast: Broadcast, hash: string): Promise<void> => {
      const past = { state: 'final' as const, mayBeSent: false, checkAt: null, missingSince: null }
      const claimed = { ...broadcast, ...past, hash }
      if ((await em.count(BroadcastEntity, keyOf(claimed))) === 0) em.persist(em.create(BroadcastEntity, claimed))
    },
  }
}

function keyOf({ tenantId, paymentId, hash }: Broadcast): Pick<Broadcast, 'tenantId' | 'paymentId' | 'hash'> {
  return { tenantId, paymentId, hash }
}
