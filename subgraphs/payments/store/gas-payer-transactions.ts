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

/** What another version of a transaction changes. */
type Version = Pick<GasPayerTransaction, 'purpose' | 'hash' | 'raw' | 'createdAt'>

const LAST = { orderBy: { nonce: 'desc' as const }, limit: 1 }

export type GasPayerTransactionsStore = ReturnType<typeof gasPayerTransactionsStore>

/** The gas payer's transactions in the schema of payments. */
export function gasPayerTransactionsStore(db: Database) {
  return {
    /** Those of one account on one chain. */
    of: (chainName: string, operator: string) => transactionsOf(db, { chainName, operator }),
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

/** See `AccountRows` of the sender, which calls these. */
function transactionsOf(db: Database, account: Pick<GasPayerTransaction, 'chainName' | 'operator'>) {
  const find = (filter: object, options: object = {}): Promise<GasPayerTransaction[]> =>
    inTransaction(db, (em) =>
      em.find(GasPayerTransactionEntity, { ...account, ...filter }, { orderBy: { nonce: 'asc' }, ...options }),
    )
  const update = (nonce: number, change: Partial<GasPayerTransaction>): Promise<void> =>
    inTransaction(db, async (em) => {
      await em.nativeUpdate(GasPayerTransactionEntity, { ...account, nonce }, change)
    })
  return {
    add: async (transaction: Version & { nonce: number }): Promise<GasPayerTransaction> => {
      const row = { ...account, ...transaction, earlierHashes: [], state: 'stored' as const, checkAt: null }
      await inTransaction(db, async (em) => {
        em.persist(em.create(GasPayerTransactionEntity, row))
      })
      return row
    },
    findOpen: () => find({ state: 'stored' }),
    replace: async (
      transaction: GasPayerTransaction,
      { purpose, hash, raw, createdAt }: Version,
    ): Promise<GasPayerTransaction> => {
      const earlierHashes = [...transaction.earlierHashes, transaction.hash]
      const change = { purpose, hash, raw, createdAt, earlierHashes }
      await update(transaction.nonce, change)
      return { ...transaction, ...change }
    },
    markFinal: ({ nonce }: GasPayerTransaction, checkAt: Date) => update(nonce, { state: 'final', checkAt }),
    nextNonce: async (): Promise<number> => {
      const [last] = await find({}, LAST)
      return last ? last.nonce + 1 : 0
    },
    hasUnfinal: (): Promise<boolean> =>
      inTransaction(
        db,
        async (em) => (await em.count(GasPayerTransactionEntity, { ...account, checkAt: { $ne: null } })) > 0,
      ),
    findFrom: (nonce: number, limit: number) =>
      find({ nonce: { $gte: nonce }, $or: [{ state: 'stored' }, { checkAt: { $ne: null } }] }, { limit }),
    findBelow: (nonce: number, limit: number) => find({ nonce: { $lt: nonce }, checkAt: { $ne: null } }, { limit }),
  }
}
