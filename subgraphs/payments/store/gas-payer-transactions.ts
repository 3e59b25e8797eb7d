import { defineEntity, p, type EntityManager, type InferEntity } from '@mikro-orm/postgresql'
import { inTransaction, type Database } from '../../../kernel/database.js'

/**
 * A transaction that the gas payer pays for. Nonce, hash and bytes are written down before it is sent: after a crash
 * the same bytes are sent again. Of those that replace them only the newest are kept: whichever of a nonce lands, it is
 * over once the chain has used the nonce up.
 */
export const GasPayerTransactionEntity = defineEntity({
  name: 'OperatorTransaction',
  tableName: 'operator_transaction',
  properties: {
    chainName: p.string().primary(),
    operator: p.string().primary(),
    nonce: p.integer().primary(),
    /** What it is for, e.g. `split:<payment>:distribute:<block>`; one transaction at a time. */
    purpose: p.string(),
    hash: p.string(),
    /** Of the versions that this one has replaced, the oldest first: one of them may land in its place. */
    earlierHashes: p.json<string[]>(),
    raw: p.text(),
    /** `stored` until the chain has used its nonce up, then `final`. */
    state: p.string().$type<'stored' | 'final'>(),
    createdAt: p.datetime(3),
    /** When its nonce was found used up, while the block that did may still be dropped; null once that is final, and before. */
    checkAt: p.datetime(3).nullable(),
  },
})
export type GasPayerTransaction = InferEntity<typeof GasPayerTransactionEntity>

const LAST = { orderBy: { nonce: 'desc' as const }, limit: 1 }

export type GasPayerTransactionsStore = ReturnType<typeof gasPayerTransactionsStore>

/** The gas payer's transactions in the schema of payments. `add` throws where an open one has the same purpose or nonce. */
export function gasPayerTransactionsStore(db: Database) {
  return {
    add: (transaction: GasPayerTransaction): Promise<void> =>
      inTransaction(db, async (em) => {
        em.persist(em.create(GasPayerTransactionEntity, transaction))
      }),
    /** The transactions that are not in a block yet as far as we know, by nonce. */
    findOpen: (chainName: string, operator: string): Promise<GasPayerTransaction[]> =>
      inTransaction(db, (em) =>
        em.find(GasPayerTransactionEntity, { chainName, operator, state: 'stored' }, { orderBy: { nonce: 'asc' } }),
      ),
    /** Writes another version of an open transaction down, of the same nonce. Gives the row as it is then. */
    replace: (
      transaction: GasPayerTransaction,
      { hash, raw, purpose }: Pick<GasPayerTransaction, 'hash' | 'raw' | 'purpose'>,
      now: Date,
    ): Promise<GasPayerTransaction> =>
      inTransaction(db, async (em) => {
        const { chainName, operator, nonce } = transaction
        const earlierHashes = [...transaction.earlierHashes, transaction.hash]
        const change = { hash, earlierHashes, raw, purpose, createdAt: now }
        await em.nativeUpdate(GasPayerTransactionEntity, { chainName, operator, nonce }, change)
        return { ...transaction, ...change }
      }),
    /** Writes down that the chain has used its nonce up, and when to look whether it still has. */
    markFinal: ({ chainName, operator, nonce }: GasPayerTransaction, checkAt: Date): Promise<void> =>
      inTransaction(db, async (em) => {
        await em.nativeUpdate(GasPayerTransactionEntity, { chainName, operator, nonce }, { state: 'final', checkAt })
      }),
    /** The nonce after the highest that was ever written down; 0 at first. */
    nextNonce: (chainName: string, operator: string): Promise<number> =>
      inTransaction(db, async (em) => {
        const [last] = await em.find(GasPayerTransactionEntity, { chainName, operator }, LAST)
        return last ? last.nonce + 1 : 0
      }),
    hasUnfinal: (chainName: string, operator: string): Promise<boolean> =>
      inTransaction(db, async (em) => {
        return (await em.count(GasPayerTransactionEntity, { chainName, operator, checkAt: { $ne: null } })) > 0
      }),
    /** All that is not final, from this nonce on; by nonce. */
    findFrom: (chainName: string, operator: string, nonce: number, limit: number): Promise<GasPayerTransaction[]> =>
      inTransaction(db, (em) => {
        const isFollowed = { $or: [{ state: 'stored' as const }, { checkAt: { $ne: null } }] }
        const filter = { chainName, operator, nonce: { $gte: nonce }, ...isFollowed }
        return em.find(GasPayerTransactionEntity, filter, { orderBy: { nonce: 'asc' }, limit })
      }),
    /** Those below this nonce that are looked at still, by nonce. */
    findBelow: (chainName: string, operator: string, nonce: number, limit: number): Promise<GasPayerTransaction[]> =>
      inTransaction(db, (em) => {
        const filter = { chainName, operator, nonce: { $lt: nonce }, checkAt: { $ne: null } }
        return em.find(GasPayerTransactionEntity, filter, { orderBy: { nonce: 'asc' }, limit })
      }),
    /** Nobody looks at it any more. @param book is called in the same transaction, once */
    end: (
      { chainName, operator, nonce }: GasPayerTransaction,
      book: (em: EntityManager) => Promise<void>,
    ): Promise<void> =>
      inTransaction(db, async (em) => {
        const filter = { chainName, operator, nonce, checkAt: { $ne: null } }
        const ended = await em.nativeUpdate(GasPayerTransactionEntity, filter, { checkAt: null })
        if (ended > 0) await book(em)
      }),
  }
}
