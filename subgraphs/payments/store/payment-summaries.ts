import { run, type Database } from '../../../kernel/database.js'
import { idBound } from '../../../kernel/ids.js'
import type { TransactionType } from '../model/transaction-type.js'

/** How many payments one summary counts at most, the newest first: so that it costs a tenant of any size the same. */
export const SUMMARY_MAX = 50_000
/** Of how many paid payments the time to settle is told, the newest first. */
const SETTLED_MAX = 2_000
export const REASONS_MAX = 20

/** How far the time in an id may be from when its payment was registered: the clock is asked for each by itself. */
const ID_SLACK_MS = 60_000

/** What a time's payments come to. */
export interface PaymentSummary {
  /** How many were counted, at most SUMMARY_MAX. */
  counted: number
  /** What was paid of those registered on a day of UTC, by currency; `sum` is a decimal string. */
  days: { day: string; currency: string; registered: number; paid: number; sum: string }[]
  /** Of those that a payer began, how many were paid. */
  methods: { transactionType: TransactionType; begun: number; paid: number }[]
  /** Why payments failed, the most frequent first. */
  failures: { code: string; count: number }[]
  /** What went back in the time, whenever its payments were registered, by the currency that was charged; at most SUMMARY_MAX of each. */
  returned: { currency: string; refunded: string; disputed: string }[]
  /** How long from registration until the receivers had theirs, in seconds; null where nothing was paid. */
  medianSettleSeconds: number | null
  slowSettleSeconds: number | null
}

const SUMMARY = {
  name: 'payment_summary',
  text: `with counted as materialized (
    select id, status, transaction_type, from_currency_symbol as currency, amount_from, data_error ->> 'code' as code, created_at
    from payments.payment where tenant_id = $1 and id >= $2 and id < $3
      and created_at >= $4::timestamptz and created_at < $5::timestamptz
    order by id desc limit ${SUMMARY_MAX}
  ), settled as (
    select extract(epoch from event.created_at - paid.created_at) as seconds
    from (select id, created_at from counted where status = 'success' order by id desc limit ${SETTLED_MAX}) as paid
    cross join lateral (select min(created_at) as created_at from payments.payment_event
      where tenant_id = $1 and payment_id = paid.id and type = 'payment.success') as event
    where event.created_at is not null
  ), days as (
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, currency, count(*)::int as registered,
      (count(*) filter (where status = 'success'))::int as paid,
      trim_scale(coalesce(sum(amount_from::numeric) filter (where status = 'success'), 0))::text as sum
    from counted group by 1, 2 order by 1, 2
  ), methods as (
    select transaction_type as "transactionType", count(*)::int as begun,
      (count(*) filter (where status = 'success'))::int as paid
    from counted where transaction_type is not null group by 1 order by 2 desc, 1
  ), failures as (
    select code, count(*)::int as count from counted where code is not null group by 1 order by 2 desc, 1 limit ${REASONS_MAX}
  ), refunds as (
    select rail, receipt_id, amount, status, forced from payments.receipt_return
    where tenant_id = $1 and refund_id is not null and created_at >= $4::timestamptz and created_at < $5::timestamptz
    order by created_at desc, refund_id desc limit ${SUMMARY_MAX}
  ), disputes as (
    select rail, receipt_id, amount, status, forced from payments.receipt_return
    where tenant_id = $1 and forced and created_at >= $4::timestamptz and created_at < $5::timestamptz
    order by created_at desc, rail desc, receipt_id desc, id desc limit ${SUMMARY_MAX}
  ), returned as (
    select receipt.currency,
      trim_scale(coalesce(sum(back.amount::numeric) filter (where not back.forced), 0))::text as refunded,
      trim_scale(coalesce(sum(back.amount::numeric) filter (where back.forced), 0))::text as disputed
    from (select * from refunds union all select * from disputes) as back
    join payments.receipt as receipt on receipt.tenant_id = $1 and receipt.rail = back.rail and receipt.id = back.receipt_id
    where back.status = 'done' group by 1 order by 1
  )
  select (select count(*)::int from counted) as counted,
    (select coalesce(json_agg(returned), '[]') from returned) as returned,
    (select coalesce(json_agg(days), '[]') from days) as days,
    (select coalesce(json_agg(methods), '[]') from methods) as methods,
    (select coalesce(json_agg(failures), '[]') from failures) as failures,
    (select percentile_disc(0.5) within group (order by seconds)::float8 from settled) as "medianSettleSeconds",
    (select percentile_disc(0.9) within group (order by seconds)::float8 from settled) as "slowSettleSeconds"`,
}

/** What a time's payments come to. */
export function paymentSummariesStore(db: Database) {
  return {
    /** Of the payments registered from one time to another, which is not part of it. */
    between: async (tenantId: string, from: Date, to: Date): Promise<PaymentSummary> => {
      const bounds = [from.getTime() - ID_SLACK_MS, to.getTime() + ID_SLACK_MS].map((ms) => idBound(new Date(ms)))
      const values = [tenantId, ...bounds, from.toISOString(), to.toISOString()]
      const [summary] = await run<PaymentSummary & Record<string, unknown>>(db.pool, SUMMARY, values)
      if (!summary) throw new Error('a summary has no row')
      return summary
    },
  }
}
