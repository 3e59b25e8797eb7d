import { run, type Database } from '../../../kernel/database.js'
import type { Gauge } from '../../../kernel/gauge.js'

/** As far as each is counted. */
const COUNTED_MAX = 100_000

const PAYOUTS_WAITING = {
  name: 'gauge_payouts_waiting',
  text: `select chain_name as label, count(*)::int as value from
      (select chain_name from payments.payout where state = 'waiting' limit ${COUNTED_MAX}) as waiting
    group by chain_name`,
}

/** A tenant's delay is nothing that anybody waits for: a payout waits from its end on. */
const OLDEST_WAITING = {
  name: 'gauge_payouts_oldest_waiting',
  text: `select chain_name as label,
      greatest(0, extract(epoch from now() - min(greatest(created_at, delayed_until))))::float as value from
      (select chain_name, created_at, delayed_until from payments.payout where state = 'waiting'
        and (delayed_until is null or delayed_until <= now()) limit ${COUNTED_MAX}) as waiting
    group by chain_name`,
}

const ALERTS = {
  name: 'gauge_alerts',
  text: `select kind as label, sum(count)::int as value from payments.operator_alert
    where closed_at is null group by kind`,
}

/** The figures of payments for `GET /metrics`: what waits to be paid out by chain, and what operators were told of by kind. */
export function paymentGauges({ pool }: Pick<Database, 'pool'>): Gauge[] {
  const gauge = (name: string, help: string, label: string, statement: { name: string; text: string }): Gauge => ({
    ...{ name, help, labels: [label] },
    read: async () => {
      const rows = await run<{ label: string; value: number }>(pool, statement, [])
      return rows.map((row) => ({ labels: { [label]: row.label }, value: row.value }))
    },
  })
  return [
    gauge('payouts_waiting', `Payouts without a transaction; at most ${COUNTED_MAX}`, 'chain', PAYOUTS_WAITING),
    gauge(
      'payouts_oldest_waiting_seconds',
      'How long the oldest payout waits that no delay holds back, since it is owed or its delay is over',
      ...(['chain', OLDEST_WAITING] as const),
    ),
    gauge('operator_alerts', 'How often operators were told of what is open', 'kind', ALERTS),
  ]
}
