import type { EntityManager } from '@mikro-orm/postgresql'
import { inTransaction, run, runIn, type Database } from '../../../kernel/database.js'
import type { HoldReason, WaitReason } from '../model/hold-reason.js'
import { batchesStore } from './batches.js'
import { CLOCKS } from './foreign-holds.js'
import { PAYOUT_COLUMNS, PayoutEntity, readPayout, type BatchLeg, type Payout } from './payout.entity.js'
import { IS_NOT_PAUSED } from './payout-pauses.js'

/** The tenants of which a payout waits on a chain, by one look into an index for each of them, however many payouts wait. */
const TENANTS = `with recursive waiting as (
    (select tenant_id from payments.payout where chain_name = $1 and state = 'waiting' order by tenant_id limit 1)
    union all
    select (select tenant_id from payments.payout where chain_name = $1 and state = 'waiting'
      and tenant_id > waiting.tenant_id order by tenant_id limit 1) from waiting where waiting.tenant_id is not null
  ), tenant as (
    select payout.tenant_id as id from (select $1::text as chain_name, tenant_id from waiting where tenant_id is not null) as payout
    where ${IS_NOT_PAUSED}
  )`

/** $1: chain. */
export const NEXT_WAITING = {
  name: 'payouts_next_waiting',
  text: `${TENANTS} select round(extract(epoch from min(due.at)) * 1000)::float8 as at from tenant cross join lateral (
    select not_before as at from payments.payout where chain_name = $1 and tenant_id = tenant.id and state = 'waiting'
    order by not_before limit 1) as due`,
}

const findWaiting = (
  besides: string,
): string => `${TENANTS} select (select row_to_json(named) from (select ${PAYOUT_COLUMNS}) as named) as payout
    from tenant cross join lateral (
      select *, row_number() over (order by not_before, created_at, payment_id, leg) as turn from payments.payout
      where chain_name = $1 and tenant_id = tenant.id and state = 'waiting' and not_before <= $2::timestamptz
        and symbol <> all($4::text[])${besides}
      order by not_before, created_at, payment_id, leg limit $3) as due
    order by turn, not_before, created_at, payment_id, leg limit $3`

/**
 * Of each tenant the one that is due the longest first, then each tenant's second: the many payouts of one keep nobody else's
 * waiting. $1: chain, $2: now, $3: how many, $4: tokens that are left out.
 */
export const FIND_WAITING = { name: 'payouts_waiting', text: findWaiting('') }

/**
 * The same of payments that were registered after $5. Payouts are written down with their payments' charges, and after a restore once
 * more: their own time says nothing of what was sent before that. One look for each, in the index's order: the rest is not read.
 */
const FIND_WAITING_NEWER = {
  name: 'payouts_waiting_newer',
  text: findWaiting(` and (select payment.created_at from payments.payment as payment
          where payment.tenant_id = payout.tenant_id and payment.id = payout.payment_id) > $5::timestamptz + ${CLOCKS}`),
}

/**
 * $1: which, $2: until when, $3: for what, $4: what it adds to the failed tries. In the order in which others lock a payment's payouts.
 * A delay that is over is not what a payout waits for now.
 */
const RESCHEDULE = {
  name: 'payouts_reschedule',
  text: `with locked as (
      select tenant_id, payment_id, leg from json_to_recordset($1::json) as given (tenant_id text, payment_id text, leg int)
        join payments.payout as payout using (tenant_id, payment_id, leg)
      where payout.state = 'waiting' order by payment_id, leg for update of payout)
    update payments.payout as payout set not_before = $2::timestamptz, waits_for = $3,
      hold_reason = nullif(hold_reason, 'delay'), failed_tries = failed_tries + $4
    from locked where payout.tenant_id = locked.tenant_id and payout.payment_id = locked.payment_id and payout.leg = locked.leg`,
}

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
    /**
     * Puts payouts off that no transaction can be made for now.
     * @param hasFailed whether one was made, and would have failed: that is counted
     */
    reschedule: async (
      payouts: readonly Payout[],
      { notBefore, waitsFor, hasFailed = false }: { notBefore: Date; waitsFor: WaitReason; hasFailed?: boolean },
    ): Promise<void> => {
      const given = payouts.map(({ tenantId, paymentId, splitIndex }) => ({
        tenant_id: tenantId,
        payment_id: paymentId,
        leg: splitIndex,
      }))
      const values = [JSON.stringify(given), notBefore.toISOString(), waitsFor, hasFailed ? 1 : 0]
      await run(db.pool, RESCHEDULE, values)
    },
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
    /**
     * The payouts of a chain that may have a transaction now, the tenants in turns; what is paused is left out.
     * @param without tokens that are left to other accounts
     * @param after only those of payments that were surely registered after this
     */
    findWaiting: async (
      chainName: string,
      now: Date,
      limit: number,
      { without = [], after }: { without?: readonly string[]; after?: Date | undefined } = {},
    ): Promise<Payout[]> => {
      const values = [chainName, now.toISOString(), limit, without]
      const rows = await (after
        ? run<{ payout: object }>(db.pool, FIND_WAITING_NEWER, [...values, after.toISOString()])
        : run<{ payout: object }>(db.pool, FIND_WAITING, values))
      return rows.map(({ payout }) => readPayout(payout))
    },
    /** When the next waiting one may have a transaction; undefined where none waits that is not paused. */
    nextWaitingAt: async (chainName: string): Promise<Date | undefined> => {
      const [row] = await run<{ at: number | null }>(db.pool, NEXT_WAITING, [chainName])
      return row?.at == null ? undefined : new Date(row.at)
    },
  }
}
