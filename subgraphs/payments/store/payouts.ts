import { LockMode, type EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { PayoutEntity, TreasuryTransactionEntity, type Payout, type TreasuryTransaction } from './payout.entity.js'

/** A payout that is to be sent now, and the transaction that was signed for it. */
export interface SignedPayout {
  payout: Payout
  transaction: TreasuryTransaction
}

/** When to look at a transaction again whose attempt is over, and the block that holds it. */
export interface LaterCheck {
  at: Date
  block?: { number: number; hash: string } | undefined
}

const GIVEN = `json_to_recordset(?::json) as given (place int, tenant_id text, payment_id text, leg int, attempt int)`

/** The places of those that still wait, which nobody else can take from then on. */
const LOCK_WAITING = `select given.place from ${GIVEN} join payments.payout as payout using (tenant_id, payment_id, leg)
  where payout.state = 'waiting' and payout.attempt = given.attempt order by given.place for update of payout`

const CLAIM = `update payments.payout as payout set state = 'sending', attempt = payout.attempt + 1 from ${GIVEN}
  where payout.tenant_id = given.tenant_id and payout.payment_id = given.payment_id and payout.leg = given.leg`

/** Of the versions of an attempt that may still land, the one that did gets its state, the others can never land. */
const END_ATTEMPT = `update payments.treasury_transaction set state = case when hash = ? then ? else 'void' end,
    check_at = case when hash = ? then ?::timestamptz end, block_number = case when hash = ? then ?::int end,
    block_hash = case when hash = ? then ? end
  where (chain_name = ? and hash = ?)
    or (tenant_id = ? and payment_id = ? and leg = ? and attempt = ? and state in ('stored', 'sent'))`

const MARK_SENT = `update payments.treasury_transaction set state = 'sent'
  where chain_name = ? and hash in (select json_array_elements_text(?::json)) and state = 'stored'`

const NEXT_NONCE = `select coalesce(max(nonce) + 1, 0) as next from payments.treasury_transaction
  where chain_name = ? and account = ?`

/** What is not followed any more is far below the newest blocks. */
const NEWEST_BLOCK = `select coalesce(max(block_number), 0) as newest from payments.treasury_transaction
  where chain_name = ? and account = ? and check_at is not null`

const NEXT_WAITING = `select min(not_before) as at from payments.payout where chain_name = ? and state = 'waiting'`

/** What the treasury owes receivers, and the transactions by which it pays. */
export type PayoutsStore = ReturnType<typeof payoutsStore>

/** The payouts and the transactions of the treasury in the schema of payments. Payouts are taken by one worker each. */
export function payoutsStore(db: Database) {
  return {
    ...payoutReads(db),
    /** Writes down what is owed, in the transaction of the charge's confirmation. */
    add: (em: EntityManager, payouts: readonly Payout[]): void => {
      for (const payout of payouts) em.persist(em.create(PayoutEntity, payout))
    },
    /** A payment's payouts, locked; by splitIndex. */
    lockAll: (em: EntityManager, { tenantId, id: paymentId }: { tenantId: string; id: string }): Promise<Payout[]> =>
      em.find(
        PayoutEntity,
        { tenantId, paymentId },
        { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { splitIndex: 'asc' } },
      ),
    /**
     * Writes down transactions for payouts that still wait. Whatever another worker took meanwhile is left out.
     * @returns what was written down: only that may be sent
     */
    claim: (signed: readonly SignedPayout[]): Promise<SignedPayout[]> => inTransaction(db, (em) => claim(em, signed)),
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
    /** Ends all versions of an attempt: the one that landed in `state`, the others void. */
    endAttempt,
    /** Lets a payout wait for another transaction, because the last one is known never to pay. */
    waitAgain: async (
      em: EntityManager,
      { tenantId, paymentId, splitIndex }: TreasuryTransaction,
      notBefore: Date,
    ): Promise<void> => {
      const key = { tenantId, paymentId, splitIndex, state: 'sending' as const }
      await em.nativeUpdate(PayoutEntity, key, { state: 'waiting', notBefore })
    },
    /** Keeps a payout back for an operator, because nobody can prove whether its last transaction has paid. */
    hold: async (em: EntityManager, { tenantId, paymentId, splitIndex }: TreasuryTransaction): Promise<void> => {
      await em.nativeUpdate(PayoutEntity, { tenantId, paymentId, splitIndex, state: 'sending' }, { state: 'held' })
    },
    /** Puts a payout off that no transaction can be made for now. */
    reschedule: ({ tenantId, paymentId, splitIndex }: Payout, notBefore: Date): Promise<void> =>
      inTransaction(db, async (em) => {
        await em.nativeUpdate(PayoutEntity, { tenantId, paymentId, splitIndex, state: 'waiting' }, { notBefore })
      }),
  }
}

function payoutReads(db: Database) {
  return {
    findAll: ({ tenantId, id: paymentId }: { tenantId: string; id: string }): Promise<Payout[]> =>
      inTransaction(db, (em) => em.find(PayoutEntity, { tenantId, paymentId }, { orderBy: { splitIndex: 'asc' } })),
    /** The oldest that wait for a transaction on a chain and may have one now. */
    findWaiting: (chainName: string, now: Date, limit: number): Promise<Payout[]> =>
      inTransaction(db, (em) =>
        em.find(
          PayoutEntity,
          { chainName, state: 'waiting', notBefore: { $lte: now } },
          { orderBy: { createdAt: 'asc', paymentId: 'asc', splitIndex: 'asc' }, limit },
        ),
      ),
    /** When the next waiting one may have a transaction; undefined where none waits. */
    nextWaitingAt: (chainName: string): Promise<Date | undefined> =>
      inTransaction(db, async (em) => {
        const [row] = await executeIn<{ at: Date | string | null }>(em, NEXT_WAITING, [chainName])
        return row?.at ? new Date(row.at) : undefined
      }),
    /** The transactions that may still land with their payouts, by nonce and version. */
    findOpen: (chainName: string, account: string): Promise<SignedPayout[]> =>
      inTransaction(db, (em) => findOpen(em, chainName, account)),
    /** The nonce after the highest that was ever written down; 0 at first. */
    nextNonce: (chainName: string, account: string): Promise<number> =>
      inTransaction(db, async (em) => {
        const [row] = await executeIn<{ next: number }>(em, NEXT_NONCE, [chainName, account])
        return Number(row?.next ?? 0)
      }),
    /** The newest block that holds a payout as far as we know, of those that may still be dropped; 0 where none does. */
    newestBlock: (chainName: string, account: string): Promise<number> =>
      inTransaction(db, async (em) => {
        const [row] = await executeIn<{ newest: number }>(em, NEWEST_BLOCK, [chainName, account])
        return Number(row?.newest ?? 0)
      }),
  }
}

async function findOpen(em: EntityManager, chainName: string, account: string): Promise<SignedPayout[]> {
  const transactions = await em.find(
    TreasuryTransactionEntity,
    { chainName, account, state: { $in: ['stored', 'sent'] } },
    { orderBy: { nonce: 'asc', createdAt: 'asc', version: 'asc' } },
  )
  return withPayouts(em, transactions)
}

/** Each transaction with its payout. */
export async function withPayouts(
  em: EntityManager,
  transactions: readonly TreasuryTransaction[],
): Promise<SignedPayout[]> {
  if (transactions.length === 0) return []
  const keys = transactions.map(({ tenantId, paymentId, splitIndex }) => ({ tenantId, paymentId, splitIndex }))
  const payouts = await em.find(PayoutEntity, { $or: keys })
  const byKey = new Map(payouts.map((payout) => [keyOf(payout), payout]))
  return transactions.flatMap((transaction) => {
    const payout = byKey.get(keyOf(transaction))
    return payout ? [{ payout, transaction }] : []
  })
}

function keyOf({ tenantId, paymentId, splitIndex }: Pick<Payout, 'tenantId' | 'paymentId' | 'splitIndex'>): string {
  return `${tenantId}/${paymentId}/${splitIndex}`
}

/**
 * The first that is not free ends it: what comes after has later nonces, and a gap before them would keep them waiting
 * for ever.
 */
async function claim(em: EntityManager, signed: readonly SignedPayout[]): Promise<SignedPayout[]> {
  const given = signed.map(({ payout: { tenantId, paymentId, splitIndex, attempt } }, place) => {
    return { place, tenant_id: tenantId, payment_id: paymentId, leg: splitIndex, attempt }
  })
  const waiting = await executeIn<{ place: number }>(em, LOCK_WAITING, [JSON.stringify(given)])
  const gap = waiting.findIndex(({ place }, index) => place !== index)
  const count = gap === -1 ? waiting.length : gap
  if (count === 0) return []
  await executeIn(em, CLAIM, [JSON.stringify(given.slice(0, count))])
  const claimed = signed.slice(0, count)
  for (const { transaction } of claimed) em.persist(em.create(TreasuryTransactionEntity, transaction))
  return claimed
}

async function endAttempt(
  em: EntityManager,
  landed: TreasuryTransaction,
  state: 'confirmed' | 'failed' | 'void',
  later?: LaterCheck,
): Promise<void> {
  const { tenantId, paymentId, splitIndex, attempt, chainName, hash } = landed
  const checkAt = later?.at.toISOString() ?? null
  const { number = null, hash: blockHash = null } = later?.block ?? {}
  const changes = [hash, state, hash, checkAt, hash, number, hash, blockHash]
  await executeIn(em, END_ATTEMPT, [...changes, chainName, hash, tenantId, paymentId, splitIndex, attempt])
}
