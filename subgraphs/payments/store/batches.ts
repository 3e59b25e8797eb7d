import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, run, runIn, type Database } from '../../../kernel/database.js'
import {
  BatchLegEntity,
  PAYOUT_COLUMNS,
  readPayout,
  readTransaction,
  TRANSACTION_COLUMNS,
  TreasuryTransactionEntity,
  type BatchLeg,
  type Payout,
  type TreasuryTransaction,
} from './payout.entity.js'
import { IS_NOT_PAUSED } from './payout-pauses.js'

/** A leg of a batch with its payout. */
export interface PayoutLeg {
  leg: BatchLeg
  payout: Payout
}

/** A signed transaction, and what it pays, in the batch's order. */
export interface SignedBatch {
  transaction: TreasuryTransaction
  legs: readonly PayoutLeg[]
}

/** A signed transaction that may still land, and what it takes of the account. */
export interface OpenBatch {
  transaction: TreasuryTransaction
  /** What its payouts are in all, of one token: a decimal string. Null where it pays nobody. */
  pays: { symbol: string; amount: string; count: number } | null
}

/** Reads what transactions pay, payout by payout; in their order. */
export type LegsReader = (transactions: readonly TreasuryTransaction[]) => Promise<SignedBatch[]>

/** What an account holds: a durable nonce of Solana. */
export interface AccountNonce {
  account: string
  value: string
}

/** When to look at a transaction again whose batch is over, and the block that holds it. */
export interface LaterCheck {
  /** Null where nothing can change any more. */
  at: Date | null
  block?: { number: number; hash: string | null } | undefined
}

const GIVEN = `json_to_recordset(?::json) as given
  (place int, batch_id text, position int, tenant_id text, payment_id text, leg int, attempt int, amount text)`

/**
 * The places of those that still wait, which nobody else can take from then on. A pause may have come since they were read, and what
 * it names has no transaction yet.
 */
const LOCK_WAITING = `select given.place from ${GIVEN} join payments.payout as payout using (tenant_id, payment_id, leg)
  where payout.state = 'waiting' and payout.attempt = given.attempt - 1 and payout.amount = given.amount and ${IS_NOT_PAUSED}
  order by payout.tenant_id, payout.payment_id, payout.leg for update of payout`

const CLAIM = `update payments.payout as payout set state = 'sending', attempt = given.attempt from ${GIVEN}
  where payout.tenant_id = given.tenant_id and payout.payment_id = given.payment_id and payout.leg = given.leg`

const ADD_LEGS = `insert into payments.batch_leg (batch_id, position, tenant_id, payment_id, leg, attempt, amount)
  select batch_id, position, tenant_id, payment_id, leg, attempt, amount from ${GIVEN}`

/** Of the versions of a batch that may still land, the one that did gets its state, the others can never land. */
const END_BATCH = `update payments.treasury_transaction set state = case when hash = ? then ? else 'void' end,
    check_at = case when hash = ? then ?::timestamptz end, block_number = case when hash = ? then ?::int end,
    slot = case when hash = ? then ?::bigint end, block_hash = case when hash = ? then ? end
  where (chain_name = ? and hash = ?) or (batch_id = ? and state in ('stored', 'sent'))`

const MARK_SENT = `update payments.treasury_transaction set state = 'sent'
  where chain_name = ? and hash in (select json_array_elements_text(?::json)) and state = 'stored'`

/** What is written down, and what was found on the chain that nobody had written down; see `foreign-transfers.ts`. */
const NEXT_NONCE = `select greatest(
    (select max(nonce) + 1 from payments.treasury_transaction where chain_name = ? and account = ?),
    (select nonce from payments.treasury_cursor where chain_name = ? and account = ?), 0) as next`

/** What is not followed any more is far below the newest blocks. What has a slot is read by the index that is in its order. */
const NEWEST_BLOCK = `select greatest(
    (select coalesce(max(block_number), 0) from payments.treasury_transaction
      where chain_name = ? and account = ? and check_at is not null),
    (select slot from payments.treasury_transaction where chain_name = ? and account = ? and state = 'confirmed'
      order by coalesce(slot, block_number::bigint) desc limit 1)) as newest`

const USED_NONCES = `select account from json_to_recordset(?::json) as given (account text, value text)
  where exists (select from payments.treasury_transaction
    where chain_name = ? and nonce_account = given.account and nonce_value = given.value)`

const LANDED = `select hash from payments.treasury_transaction
  where chain_name = ? and hash in (select json_array_elements_text(?::json)) and state = 'confirmed'`

/** The transactions by which the treasury pays, each with the payouts of its batch. */
export function batchesStore(db: Database) {
  return {
    /**
     * Writes down batches of payouts that still wait. The first batch of which another worker took a payout meanwhile, or an
     * operator has paused one, ends it: what comes after has later nonces, and a gap before them would keep them waiting for ever.
     * @returns what was written down: only that may be sent
     */
    claim: (batches: readonly SignedBatch[]): Promise<SignedBatch[]> => inTransaction(db, (em) => claim(em, batches)),
    /** Writes down another version of a transaction that may still land. */
    addVersion: (transaction: TreasuryTransaction): Promise<void> =>
      inTransaction(db, async (em) => {
        em.persist(em.create(TreasuryTransactionEntity, transaction))
      }),
    markSent: (transactions: readonly TreasuryTransaction[]): Promise<void> =>
      inTransaction(db, async (em) => {
        for (const [chainName, ofChain] of Map.groupBy(transactions, (transaction) => transaction.chainName)) {
          await executeIn(em, MARK_SENT, [chainName, JSON.stringify(ofChain.map(({ hash }) => hash))])
        }
      }),
    /** Ends all versions of a batch, when its legs have their outcomes: the one that landed in `state`, the others void. */
    endBatch: (
      { chainName, hash, batchId }: TreasuryTransaction,
      state: 'confirmed' | 'failed' | 'void' | 'unexpected',
      later?: LaterCheck,
    ): Promise<void> =>
      inTransaction(db, async (em) => {
        const checkAt = later?.at?.toISOString() ?? null
        const { number = null, hash: blockHash = null } = later?.block ?? {}
        const [block, slot] = blockHash === null ? [null, number] : [number, null]
        const changes = [hash, state, hash, checkAt, hash, block, hash, slot, hash, blockHash]
        await executeIn(em, END_BATCH, [...changes, chainName, hash, batchId])
      }),
    /** A batch's legs of some payments, under the payments' row locks; `open`: those whose outcome may still change. */
    lockLegs: (
      em: EntityManager,
      batchId: string,
      paymentIds: readonly string[],
      which: 'open' | 'all',
    ): Promise<BatchLeg[]> => {
      const isOpen = { $or: [{ outcome: null }, { outcome: 'void' as const }] }
      const filter = { batchId, paymentId: { $in: [...paymentIds] }, ...(which === 'open' && isOpen) }
      return em.find(BatchLegEntity, filter, { orderBy: { position: 'asc' } })
    },
    /** The transactions that may still land, by nonce and version; what only waits for confirmations is many payouts. */
    findOpen: async (chainName: string, account: string): Promise<OpenBatch[]> => {
      const rows = await run<{ transaction: object; pays: OpenBatch['pays'] }>(db.pool, FIND_OPEN, [chainName, account])
      return rows.map(({ transaction, pays }) => ({ transaction: readTransaction(transaction), pays }))
    },
    /** Transactions with their payouts, in their order. */
    withLegs: (transactions: readonly TreasuryTransaction[]): Promise<SignedBatch[]> =>
      joinLegs(transactions, (ids) => run<LegRow>(db.pool, LEGS, [ids])),
    /** Whose payments a batch pays, in its order. */
    paymentsOf: async (batchId: string): Promise<string[]> =>
      (await run<{ id: string }>(db.pool, PAYMENTS_OF, [batchId])).map(({ id }) => id),
    ...nonceReads(db),
  }
}

/** How far nonces and blocks of an account are used up, as far as is written down. */
function nonceReads(db: Database) {
  return {
    /** The nonce after the highest that was ever written down, or found on the chain; 0 at first. */
    nextNonce: (chainName: string, account: string): Promise<number> =>
      inTransaction(db, async (em) => {
        const [row] = await executeIn<{ next: number }>(em, NEXT_NONCE, [chainName, account, chainName, account])
        return Number(row?.next ?? 0)
      }),
    /** The accounts of those durable nonces that a batch was ever signed for. */
    usedNonces: (chainName: string, nonces: readonly AccountNonce[]): Promise<ReadonlySet<string>> =>
      inTransaction(db, async (em) => {
        const rows = await executeIn<{ account: string }>(em, USED_NONCES, [JSON.stringify(nonces), chainName])
        return new Set(rows.map(({ account }) => account))
      }),
    /** Which of these transactions have landed, as far as is written down. */
    landed: (chainName: string, hashes: readonly string[]): Promise<ReadonlySet<string>> =>
      inTransaction(db, async (em) => {
        const rows = await executeIn<{ hash: string }>(em, LANDED, [chainName, JSON.stringify(hashes)])
        return new Set(rows.map(({ hash }) => hash))
      }),
    /**
     * The newest block that holds a transaction of the account as far as we know, of those that may still be dropped; on
     * Solana the newest slot. 0 where none does.
     */
    newestBlock: (chainName: string, account: string): Promise<number> =>
      inTransaction(db, async (em) => {
        const [row] = await executeIn<{ newest: string }>(em, NEWEST_BLOCK, [chainName, account, chainName, account])
        return Number(row?.newest ?? 0)
      }),
  }
}

/** A batch is of one token: that of its first payout. */
const FIND_OPEN = {
  name: 'batches_open',
  text: `select (select row_to_json(named) from (select ${TRANSACTION_COLUMNS}) as named) as transaction,
      (select case when count(*) > 0 then json_build_object('count', count(*), 'amount', trim_scale(sum(leg.amount::numeric))::text,
          'symbol', (select symbol from payments.batch_leg as first join payments.payout using (tenant_id, payment_id, leg)
            where first.batch_id = transaction.batch_id and first.position = 0)) end
        from payments.batch_leg as leg where leg.batch_id = transaction.batch_id) as pays
    from payments.treasury_transaction as transaction
    where chain_name = $1 and account = $2 and state in ('stored', 'sent') order by nonce, created_at, version`,
}

const PAYMENTS_OF = {
  name: 'batch_payments',
  text: `select payment_id as id from payments.batch_leg where batch_id = $1 group by payment_id order by min(position)`,
}

const LEGS = {
  name: 'batch_legs',
  text: `select leg.batch_id as "batchId", leg.position, leg.tenant_id as "tenantId", leg.payment_id as "paymentId",
      leg.leg as "splitIndex", leg.attempt, leg.amount, leg.outcome,
      (select row_to_json(named) from (select ${PAYOUT_COLUMNS} from payments.payout as one where one.tenant_id = leg.tenant_id
        and one.payment_id = leg.payment_id and one.leg = leg.leg) as named) as payout
    from payments.batch_leg as leg where leg.batch_id = any($1) order by leg.batch_id, leg.position`,
}

type LegRow = BatchLeg & { payout: object | null }

/** Each transaction with the legs of its batch. */
export function withLegs(em: EntityManager, transactions: readonly TreasuryTransaction[]): Promise<SignedBatch[]> {
  return joinLegs(transactions, (ids) => runIn<LegRow>(em, LEGS, [ids]))
}

async function joinLegs(
  transactions: readonly TreasuryTransaction[],
  read: (batchIds: readonly string[]) => Promise<LegRow[]>,
): Promise<SignedBatch[]> {
  if (transactions.length === 0) return []
  const rows = await read([...new Set(transactions.map(({ batchId }) => batchId))])
  const legs = rows.flatMap(({ payout, ...leg }): PayoutLeg[] => (payout ? [{ leg, payout: readPayout(payout) }] : []))
  const byBatch = Map.groupBy(legs, ({ leg }) => leg.batchId)
  return transactions.map((transaction) => ({ transaction, legs: byBatch.get(transaction.batchId) ?? [] }))
}

async function claim(em: EntityManager, batches: readonly SignedBatch[]): Promise<SignedBatch[]> {
  const given = batches.flatMap(({ legs }) => legs).map(({ leg }, place) => givenOf(leg, place))
  const waiting = new Set(
    (await executeIn<{ place: number }>(em, LOCK_WAITING, [JSON.stringify(given)])).map(({ place }) => place),
  )
  const gap = given.find(({ place }) => !waiting.has(place))?.batch_id
  const count = gap === undefined ? batches.length : batches.findIndex(({ transaction }) => transaction.batchId === gap)
  const claimed = batches.slice(0, count)
  const legs = JSON.stringify(claimed.flatMap((batch) => batch.legs).map(({ leg }, place) => givenOf(leg, place)))
  await executeIn(em, CLAIM, [legs])
  await executeIn(em, ADD_LEGS, [legs])
  for (const { transaction } of claimed) em.persist(em.create(TreasuryTransactionEntity, transaction))
  return claimed
}

function givenOf({ batchId, position, tenantId, paymentId, splitIndex, attempt, amount }: BatchLeg, place: number) {
  const payout = { tenant_id: tenantId, payment_id: paymentId, leg: splitIndex, attempt, amount }
  return { place, batch_id: batchId, position, ...payout }
}
