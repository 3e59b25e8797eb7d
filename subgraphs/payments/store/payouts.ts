import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, runIn, type Database } from '../../../kernel/database.js'
import type { HoldReason, WaitReason } from '../model/hold-reason.js'
import { batchesStore, keyOf, type PayoutKey } from './batches.js'
import { PAYOUT_COLUMNS, PayoutEntity, readPayout, type BatchLeg, type Payout } from './payout.entity.js'
import { IS_NOT_PAUSED } from './payout-pauses.js'

const NEXT_WAITING = `select min(not_before) as at from payments.payout as payout
  where chain_name = ? and state = 'waiting' and ${IS_NOT_PAUSED}`

/** Each tenant's oldest first, then each tenant's second: the many payouts of one keep nobody else's waiting. */
const FIND_WAITING = `select tenant_id as "tenantId", payment_id as "paymentId", leg as "splitIndex" from (
    select tenant_id, payment_id, leg, created_at,
      row_number() over (partition by tenant_id order by created_at, payment_id, leg) as turn
    from payments.payout as payout
    where chain_name = ? and state = 'waiting' and not_before <= ?::timestamptz and ${IS_NOT_PAUSED}) as waiting
  order by turn, created_at, payment_id, leg limit ?`

/** What the treasury owes receivers, and the transactions by which it pays. */
export type PayoutsStore = ReturnType<typeof payoutsStore>

/** The payouts and the transactions of the treasury in the schema of payments. Payouts are taken by one worker each. */
export function payoutsStore(db: Database) {
  return {
    ...payoutReads(db),
    ...batchesStore(db),
    /** Writes down what is owed, in the transaction of the charge's confirmation. */
    add: (em: EntityManager, payouts: readonly Payout[]): void => {
      for (const payout of payouts) em.persist(em.create(PayoutEntity, payout))
    },
    /** A payment's payouts, locked; by splitIndex. */
    lockAll: (em: EntityManager, payment: { tenantId: string; id: string }): Promise<Payout[]> => lockOf(em, [payment]),
    /** The payouts of many payments, locked; by splitIndex. */
    lockOf,
    /** Puts a payout off that no transaction can be made for now. */
    reschedule: (
      { tenantId, paymentId, splitIndex, ...payout }: Payout,
      notBefore: Date,
      waitsFor: WaitReason,
    ): Promise<void> =>
      inTransaction(db, async (em) => {
        // A delay that is over is not what it waits for now.
        const holdReason = payout.holdReason === 'delay' ? null : (payout.holdReason ?? null)
        const waiting = { tenantId, paymentId, splitIndex, state: 'waiting' as const }
        await em.nativeUpdate(PayoutEntity, waiting, { notBefore, holdReason, waitsFor })
      }),
    /** Holds a payout that no transaction was made for yet. */
    hold: ({ tenantId, paymentId, splitIndex, attempt }: Payout, holdReason: HoldReason): Promise<void> =>
      inTransaction(db, async (em) => {
        const waiting = { tenantId, paymentId, splitIndex, attempt, state: 'waiting' as const }
        await em.nativeUpdate(PayoutEntity, waiting, { state: 'held', holdReason })
      }),
  }
}

/**
 * Whether a payout is the one that a leg was signed for, and still waits for what becomes of it: a later attempt, or a
 * decision that was made since, is not to be touched.
 */
export function isAwaiting(payout: Payout, { attempt }: BatchLeg): boolean {
  return payout.state === 'sending' && payout.attempt === attempt
}

const LOCK = {
  name: 'payout_lock',
  text: `select (select row_to_json(named) from (select ${PAYOUT_COLUMNS}) as named) as payout from payments.payout
    where tenant_id = any($1) and payment_id = any($2) order by payment_id, leg for update`,
}

async function lockOf(em: EntityManager, payments: readonly { tenantId: string; id: string }[]): Promise<Payout[]> {
  const values = [payments.map(({ tenantId }) => tenantId), payments.map(({ id }) => id)]
  // The statement has to see what the transaction has added, as those of the unit of work do.
  await em.flush()
  const rows = await runIn<{ payout: object }>(em, LOCK, values)
  return rows.map(({ payout }) => em.merge(PayoutEntity, readPayout(payout)))
}

function payoutReads(db: Database) {
  return {
    findAll: ({ tenantId, id: paymentId }: { tenantId: string; id: string }): Promise<Payout[]> =>
      inTransaction(db, (em) => em.find(PayoutEntity, { tenantId, paymentId }, { orderBy: { splitIndex: 'asc' } })),
    /** Each payment's payouts, by split index; in the order of `paymentIds`. */
    ofPayments: async (tenantId: string, paymentIds: readonly string[]): Promise<Payout[][]> => {
      const where = { tenantId, paymentId: { $in: [...paymentIds] } }
      const found = await inTransaction(db, (em) => em.find(PayoutEntity, where, { orderBy: { splitIndex: 'asc' } }))
      const byPayment = Map.groupBy(found, ({ paymentId }) => paymentId)
      return paymentIds.map((id) => byPayment.get(id) ?? [])
    },
    /** The payouts of a chain that may have a transaction now, the tenants in turns; what is paused is left out. */
    findWaiting: (chainName: string, now: Date, limit: number): Promise<Payout[]> =>
      inTransaction(db, async (em) => {
        const keys = await executeIn<PayoutKey>(em, FIND_WAITING, [chainName, now.toISOString(), limit])
        const tenantId = { $in: [...new Set(keys.map((key) => key.tenantId))] }
        const found = await em.find(PayoutEntity, { tenantId, paymentId: { $in: keys.map((key) => key.paymentId) } })
        const byKey = new Map(found.map((payout) => [keyOf(payout), payout]))
        return keys.flatMap((key) => byKey.get(keyOf(key)) ?? [])
      }),
    /** When the next waiting one may have a transaction; undefined where none waits that is not paused. */
    nextWaitingAt: (chainName: string): Promise<Date | undefined> =>
      inTransaction(db, async (em) => {
        const [row] = await executeIn<{ at: Date | string | null }>(em, NEXT_WAITING, [chainName])
        return row?.at ? new Date(row.at) : undefined
      }),
  }
}
