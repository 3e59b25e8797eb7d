import { describe, expect, it } from 'vitest'
import { checkoutPayment } from '../fixtures/payments.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { listStatement, timeBounds } from './payment-rows.js'
import type { PaymentFilter } from './payments.js'

const ROWS = 20_000

const harness = await startPaymentsHarness()
const newest = await checkoutPayment(harness)
// One a minute before the newest, in ids as we make them.
await harness.query(
  `insert into payments.payment select (jsonb_populate_record(payment, jsonb_build_object('id', 'c' || lpad(time36, 8, '0') ||
      lpad(n::text, 16, '0'), 'created_at', created_at - n * interval '1 minute', 'transaction_type',
      case when n > 19990 then 'crypto' else 'cardfiat' end))).*
    from payments.payment, generate_series(1, $1::int) as n, lateral (
      select string_agg(substr('0123456789abcdefghijklmnopqrstuvwxyz', (ms / power(36, place)::bigint % 36)::int + 1, 1), ''
        order by place desc) as time36
      from generate_series(0, 7) as place,
        (select floor(extract(epoch from created_at) * 1000)::bigint - n * 60000 as ms) as instant) as written`,
  [ROWS],
)
await harness.query('analyze payments.payment')

const minutesAgo = (minutes: number) => new Date(newest.createdAt.getTime() - minutes * 60_000).toISOString()
const FILTERS: [string, () => PaymentFilter, number][] = [
  ['a rare type', () => ({ transactionType: 'crypto' }), 10],
  ['an end long ago', () => ({ createdBefore: minutesAgo(ROWS - 20) }), 20],
  ['a range long ago', () => ({ createdFrom: minutesAgo(15_010), createdBefore: minutesAgo(15_000) }), 10],
]

describe('a list of payments narrowed by', () => {
  it.each(FILTERS)('%s finds the same as a look at every one', async (_by, filter, count) => {
    const found = await harness.deps.payments.list(harness.tenant.id, filter(), { limit: 100, afterId: undefined })
    expect(found).toHaveLength(count)
  })

  it.each(FILTERS)('%s reads no more than it shows, from an index', async (_by, filter) => {
    const { transactionType, createdFrom, createdBefore } = filter()
    const times = timeBounds(createdFrom, createdBefore)
    const values = [harness.tenant.id, 100, undefined, undefined, transactionType, undefined, ...times]
    const { text } = listStatement(values)
    const [row] = await harness.query(
      `explain (analyze, format json) ${text}`,
      values.filter((value) => value != null),
    )
    const plan = JSON.stringify(row)
    expect(plan).not.toContain('Seq Scan')
    const removed = [...plan.matchAll(/"Rows Removed by (?:Filter|Index Recheck)":(\d+)/g)].map(([, rows]) =>
      Number(rows),
    )
    expect(Math.max(0, ...removed)).toBeLessThan(10)
  })
})
