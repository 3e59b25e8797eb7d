import { defineEntity, p, type EntityManager, type InferEntity } from '@mikro-orm/postgresql'
import type { AccountRows, AccountTransaction } from '../../../chains/sender/evm-account.js'
import { inTransaction, type Database } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'

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
    /** What it is for, e.g. `split:<payment>:distribute`; one transaction at a time. */
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
    /** When a look first found its nonce used up by a final block and none of its versions there; null before. */
    missingSince: p.datetime(3).nullable(),
  },
})
type GasPayerTransaction = InferEntity<typeof GasPayerTransactionEntity>

/** The gas payer's transactions on one chain, as the sender reads and writes them. */
export interface GasPayerRows extends AccountRows {
  /** All that were ever written down for a purpose, the newest first. */
  findFor: (purpose: string) => Promise<AccountTransaction[]>
  /** The last of these, without the others. */
  newestFor: (purpose: string) => Promise<AccountTransaction | undefined>
  hasUnfinal: () => Promise<boolean>
  /** Notes that no node shows it, though a final block has used its nonce up. Returns when that was first seen. */
  noteMissing: (transaction: AccountTransaction, now: Date) => Promise<Date>
  /** Nobody looks at it any more. @param book is called in the same transaction, once */
  end: (transaction: AccountTransaction, book: (em: EntityManager) => Promise<void>) => Promise<void>
}

export type GasPayerTransactionsStore = ReturnType<typeof gasPayerTransactionsStore>

const LAST = { orderBy: { nonce: 'desc' as const }, limit: 1 }

/** The gas payer's transactions in the schema of payments, of one account on one chain. */
export function gasPayerTransactionsStore(db: Database): (chainName: string, operator: string) => GasPayerRows {
  return (chainName, operator) => rowsOf(db, { chainName, operator })
}

function rowsOf(db: Database, account: Pick<GasPayerTransaction, 'chainName' | 'operator'>): GasPayerRows {
  const find = (filter: object, options: object = {}): Promise<GasPayerTransaction[]> =>
    inTransaction(db, (em) =>
      em.find(GasPayerTransactionEntity, { ...account, ...filter }, { orderBy: { nonce: 'asc' }, ...options }),
    )
  const update = (filter: object, change: Partial<GasPayerTransaction>, then?: (em: EntityManager) => Promise<void>) =>
    inTransaction(db, async (em) => {
      const updated = await em.nativeUpdate(GasPayerTransactionEntity, { ...account, ...filter }, change)
      if (updated > 0) await then?.(em)
      return updated
    })
  return {
    add: async (transaction) => {
      const row: GasPayerTransaction = {
        ...{ ...account, ...transaction },
        ...{ earlierHashes: [], state: 'stored', checkAt: null, missingSince: null },
      }
      await inTransaction(db, async (em) => {
        em.persist(em.create(GasPayerTransactionEntity, row))
      })
      return row
    },
    findOpen: () => find({ state: 'stored' }),
    replace: async (transaction, { purpose, hash, raw, createdAt }) => {
      const earlierHashes = [...transaction.earlierHashes, transaction.hash]
      const change = { purpose, hash, raw, createdAt, earlierHashes }
      // Who has lost the account's lock must not write over what has landed by then: its gas would never be found.
      const updated = await update({ nonce: transaction.nonce, hash: transaction.hash, state: 'stored' }, change)
      if (updated === 0) throw new AppError('provider_unavailable', { details: 'somebody else has gone on with it' })
      return { ...transaction, ...change }
    },
    markFinal: async ({ nonce }, checkAt) => {
      await update({ nonce, state: 'stored' }, { state: 'final', checkAt })
    },
    nextNonce: async () => {
      const [last] = await find({}, LAST)
      return last ? last.nonce + 1 : 0
    },
    findFor: (purpose) => find({ purpose }, { orderBy: { nonce: 'desc' } }),
    newestFor: async (purpose) => (await find({ purpose }, LAST))[0],
    hasUnfinal: async () =>
      (await find({ $or: [{ state: 'stored' }, { checkAt: { $ne: null } }] }, { limit: 1 })).length > 0,
    findFrom: (nonce, limit) =>
      find({ nonce: { $gte: nonce }, $or: [{ state: 'stored' }, { checkAt: { $ne: null } }] }, { limit }),
    findBelow: (nonce, limit) => find({ nonce: { $lt: nonce }, checkAt: { $ne: null } }, { limit }),
    noteMissing: async ({ nonce }, now) => {
      await update({ nonce, missingSince: null }, { missingSince: now })
      return (await find({ nonce }))[0]?.missingSince ?? now
    },
    end: async ({ nonce }, book) => {
      await update({ nonce, checkAt: { $ne: null } }, { checkAt: null }, book)
    },
  }
}
