import { executeIn, inTransaction, run, type Database } from '../../../kernel/database.js'
import { TreasuryTransactionEntity, type TreasuryTransaction } from './payout.entity.js'
import { withLegs, type SignedBatch } from './batches.js'
import type { TreasuryAccount } from './begun-accounts.js'

const CHECK_AT = `update payments.treasury_transaction set check_at = ?::timestamptz
  where chain_name = ? and hash in (select json_array_elements_text(?::json))`

const HAS_ANY = `select from payments.treasury_transaction where chain_name = ? and account = ? and check_at is not null limit 1`

/** Whose transactions may still land or be dropped, and about whose an operator has decided what is not carried out yet. */
const AT_WORK = {
  name: 'landed_accounts',
  text: `select account from payments.treasury_transaction where chain_name = $1 and state in ('stored', 'sent')
    union select account from payments.treasury_transaction where chain_name = $1 and check_at is not null
    union select account from payments.intervention join payments.treasury_transaction using (batch_id)
      where intervention.chain_name = $1 and intervention.state = 'ordered'
    order by account`,
}

const HAS_ANY_ON = `select from payments.treasury_transaction where chain_name = ? and check_at is not null limit 1`

const DROP = `update payments.treasury_transaction set state = 'void', check_at = null where chain_name = ? and hash = ?`

const CONFIRM = `update payments.treasury_transaction set state = 'confirmed', block_number = ?::int, block_hash = ?,
    check_at = ?::timestamptz where chain_name = ? and hash = ?`

const MOVE_PAYOUTS = `update payments.payout as payout set hash = ? from payments.batch_leg as leg where leg.batch_id = ?
    and payout.tenant_id = leg.tenant_id and payout.payment_id = leg.payment_id and payout.leg = leg.leg and payout.hash = ?`

/** Batches with a leg that is unpaid, and whose payout still waits for what becomes of that. */
const UNPAID = {
  name: 'landed_unpaid',
  text: `select distinct leg.batch_id as id from payments.batch_leg as leg
      join payments.payout as payout using (tenant_id, payment_id, leg)
    where leg.batch_id = any($1) and leg.outcome = 'unpaid' and payout.state = 'sending' and payout.attempt = leg.attempt`,
}

/** What was called dropped, which is stored as `void`, or of which nobody can tell whether it landed. */
const DROPPED: TreasuryTransaction['state'][] = ['void', 'unexpected']

/** The treasury's transactions whose batches are over, and that are looked at again. */
export type LandedTransactionsStore = ReturnType<typeof landedTransactionsStore>

export function landedTransactionsStore(db: Database) {
  return {
    ...readsOfChains(db),
    /** Whether any is left to be looked at. */
    hasAny: ({ chainName, account }: TreasuryAccount): Promise<boolean> =>
      inTransaction(db, async (em) => (await executeIn<object>(em, HAS_ANY, [chainName, account])).length > 0),
    /** Of a chain with nonces: those confirmed in blocks up to this one, the oldest first. */
    findUpTo: (
      { chainName, account }: TreasuryAccount,
      blockNumber: number,
      limit: number,
    ): Promise<TreasuryTransaction[]> =>
      inTransaction(db, (em) => {
        const where = { chainName, account, state: 'confirmed' as const, checkAt: { $ne: null } }
        const filter = { ...where, blockNumber: { $lte: blockNumber } }
        return em.find(TreasuryTransactionEntity, filter, { orderBy: { blockNumber: 'asc' }, limit })
      }),
    /** Of a chain with nonces: those confirmed, and those still open, from this nonce on; of each nonce the newest, by nonce. */
    findFrom: ({ chainName, account }: TreasuryAccount, nonce: number, limit: number): Promise<TreasuryTransaction[]> =>
      inTransaction(db, async (em) => {
        const landed = { state: 'confirmed' as const, checkAt: { $ne: null } }
        const filter = {
          chainName,
          account,
          nonce: { $gte: nonce },
          $or: [landed, { state: { $in: ['stored', 'sent'] } }],
        }
        const found = await em.find(TreasuryTransactionEntity, filter as never, {
          orderBy: { nonce: 'asc', version: 'asc' },
          limit,
        })
        return found.filter((one, index) => found[index + 1]?.nonce !== one.nonce)
      }),
    /** Those called dropped, or of which nobody can tell, that are due. */
    findDropped: ({ chainName, account }: TreasuryAccount, now: Date, limit: number): Promise<TreasuryTransaction[]> =>
      inTransaction(db, (em) => {
        const filter = { chainName, account, state: { $in: DROPPED }, checkAt: { $lte: now } }
        return em.find(TreasuryTransactionEntity, filter, { orderBy: { checkAt: 'asc' }, limit })
      }),
    /** Those of these that have left out somebody who still waits for what becomes of it. */
    findUnpaid: (transactions: readonly TreasuryTransaction[]) => findUnpaid(db, transactions),
    /** Every version of a batch, the oldest first. */
    findVersions: ({ batchId }: Pick<TreasuryTransaction, 'batchId'>): Promise<SignedBatch[]> =>
      inTransaction(db, async (em) =>
        withLegs(em, await em.find(TreasuryTransactionEntity, { batchId }, { orderBy: { version: 'asc' } })),
      ),
    /** When to look at it again; null: never. */
    checkAt: (transactions: readonly TreasuryTransaction[], at: Date | null): Promise<void> =>
      inTransaction(db, async (em) => {
        for (const [chainName, ofChain] of Map.groupBy(transactions, (transaction) => transaction.chainName)) {
          const hashes = JSON.stringify(ofChain.map(({ hash }) => hash))
          await executeIn(em, CHECK_AT, [at?.toISOString() ?? null, chainName, hashes])
        }
      }),
    /** Writes down that one has landed in another block, or another version of it has; its receivers were paid all the same. */
    move: (
      from: TreasuryTransaction,
      to: TreasuryTransaction,
      block: { number: number; hash: string | null },
    ): Promise<void> =>
      inTransaction(db, async (em) => {
        const { chainName, batchId } = from
        await executeIn(em, DROP, [chainName, from.hash])
        const at = from.checkAt?.toISOString() ?? null
        await executeIn(em, CONFIRM, [block.number, block.hash, at, chainName, to.hash])
        await executeIn(em, MOVE_PAYOUTS, [to.hash, batchId, from.hash])
      }),
  }
}

/** What is left to be brought on of a chain, whichever account's it is. */
function readsOfChains(db: Database) {
  return {
    /** The accounts that have something left to be brought on. */
    accountsAtWork: async (chainName: string): Promise<string[]> =>
      (await run<{ account: string }>(db.pool, AT_WORK, [chainName])).map(({ account }) => account),
    /** Whether any account of a chain has one left to be looked at. */
    hasAnyOn: (chainName: string): Promise<boolean> =>
      inTransaction(db, async (em) => (await executeIn<object>(em, HAS_ANY_ON, [chainName])).length > 0),
  }
}

async function findUnpaid(
  { pool }: Database,
  transactions: readonly TreasuryTransaction[],
): Promise<TreasuryTransaction[]> {
  if (transactions.length === 0) return []
  const rows = await run<{ id: string }>(pool, UNPAID, [transactions.map(({ batchId }) => batchId)])
  return transactions.filter(({ batchId }) => rows.some(({ id }) => id === batchId))
}
