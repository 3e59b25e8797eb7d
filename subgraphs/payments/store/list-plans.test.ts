import { describe, expect, it } from 'vitest'
import { checkoutPayment } from '../fixtures/payments.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import type { PaymentSort } from '../model/payment-sort.js'
import { countStatement, listStatement } from './list-statement.js'
import { LISTED_PROPERTIES, type ListedProperty } from './payment.entity.js'
import type { PaymentFilter } from './payment-filter.js'
import { pagesOf } from './payment-rows.js'

const ROWS = 100_000
/** Those of the rarest kind are the oldest: who walks the list from its newest end reads them all. */
const RARE = 10
const WALLET = '0xAbCd00000000000000000000000000000000Ef01'
const HASH = `0x${'7e'.repeat(32)}`

const harness = await startPaymentsHarness()
const newest = await checkoutPayment(harness)
// One a minute before the newest, in ids as we make them.
await harness.query(
  `insert into payments.payment select written.* from payments.payment, generate_series(1, $1::bigint) as n, lateral (
      select string_agg(substr('0123456789abcdefghijklmnopqrstuvwxyz', (ms / power(36, place)::bigint % 36)::int + 1, 1), ''
        order by place desc) as time36
      from generate_series(0, 7) as place,
        (select floor(extract(epoch from created_at) * 1000)::bigint - n * 60000 as ms) as instant) as prefix,
    lateral jsonb_populate_record(payment, jsonb_build_object('id', 'c' || lpad(time36, 8, '0') ||
      lpad(n::text, 16, '0'), 'created_at', created_at - n * interval '1 minute',
      'status', case when n > $2 then 'reproved' else 'registered' end,
      'transaction_type', case when n > $2 then 'crypto' else 'cardfiat' end,
      'order_code', case when n > $2 then 'crare' else 'ccommon' end,
      'amount_from', case when n > $2 then (1000000 + n)::text else (n % 500 + 1) || '.5' end,
      'payer_email', case when n > $2 then 'Ana.Rara@example.com' else 'payer' || n || '@example.com' end,
      'payer_wallet', case when n > $2 then $3 else '0x' || md5(n::text) end,
      'tid_hash', case when n > $2 then $4 else '0x' || md5('hash' || n) end,
      'metadata', case when n > $2 or n % 10 = 0 then jsonb_build_object('invoice',
        jsonb_build_array(case when n > $2 then 'Rare 4711' else 'common ' || n end),
        'note', case when n > $2 then 'Rare 4711' end) end)) as written`,
  [ROWS, ROWS - RARE, WALLET, HASH],
)
await harness.query(
  `insert into payments.charge (tenant_id, id, payment_id, attempt, rail, reference, state, currency, amount, payer_masked,
      payer_hash, created_at, expires_at, watch_until)
    select tenant_id, 'h' || id, id, 1, 'pix', case when payer_wallet = $1 then 'rareTXID-in-20-chars' else 'txid' end || id, 'closed', 'BRL',
      '1', '', '', created_at, created_at, created_at from payments.payment`,
  [WALLET],
)
await harness.query('analyze payments.payment, payments.charge, payments.payment_term')

const minutesAgo = (minutes: number) => new Date(newest.createdAt.getTime() - minutes * 60_000).toISOString()
const FILTERS: [string, () => PaymentFilter, number][] = [
  ['a rare status', () => ({ status: 'reproved' }), RARE],
  ['a rare type', () => ({ transactionType: 'crypto' }), RARE],
  ['a rare order', () => ({ orderCode: 'crare' }), RARE],
  ['an end long ago', () => ({ createdBefore: minutesAgo(ROWS - 20) }), 20],
  ['a range long ago', () => ({ createdFrom: minutesAgo(15_010), createdBefore: minutesAgo(15_000) }), 10],
  ['a payer in other letters', () => ({ payerEmail: 'ana.rara@EXAMPLE.com' }), RARE],
  ['a search for the id', () => ({ search: newest.id }), 1],
  ['a search for the beginning of an e-mail address', () => ({ search: 'ana.ra' }), RARE],
  ['a search for a wallet', () => ({ search: WALLET.toLowerCase() }), RARE],
  ['a search for a hash', () => ({ search: HASH.toUpperCase() }), RARE],
  ['a search for a txid', () => ({ search: 'RARETXID-in-20-chars' }), RARE],
  ['a search for what nearly all txids begin with', () => ({ search: 'txid' }), 0],
  ['a search for a value of the metadata', () => ({ search: 'rare 4711' }), RARE],
  ['several statuses, one of them rare', () => ({ statuses: ['reproved', 'pending'] }), RARE],
  ['several types, one of them rare', () => ({ transactionTypes: ['crypto', 'fiatcrypto'] }), RARE],
  ['several types and a status', () => ({ transactionTypes: ['crypto', 'fiatcrypto'], status: 'reproved' }), RARE],
  ['a search with several types', () => ({ search: 'rare 4711', transactionTypes: ['crypto', 'cardfiat'] }), RARE],
  ['an amount of which there are few', () => ({ amount: { currency: 'BRL', atLeast: '1000000' } }), RARE],
  ['an amount of another currency', () => ({ amount: { currency: 'USD', atLeast: '1' } }), 0],
  ['a field of the metadata', () => ({ metadata: { key: 'note', value: 'Rare 4711' } }), RARE],
  ['a field of the metadata in other letters', () => ({ metadata: { key: 'note', value: 'rare 4711' } }), 0],
  [
    'a field of the metadata and a search',
    () => ({ metadata: { key: 'note', value: 'Rare 4711' }, search: 'ana.ra' }),
    RARE,
  ],
  ['a search with a status', () => ({ search: 'rare 4711', status: 'registered' }), 0],
]

/** What a statement reads: the most rows that a step looked at, and that it threw away. */
async function readBy({
  statement,
  values,
}: ReturnType<typeof listStatement>): Promise<{ read: number; removed: number }> {
  const [row] = await harness.query(`explain (analyze, format json) ${statement.text}`, values)
  const plan = JSON.stringify(row)
  expect(plan).not.toContain('Seq Scan')
  const most = (what: string): number =>
    Math.max(0, ...[...plan.matchAll(new RegExp(`"${what}":([\\d.]+)`, 'g'))].map(([, rows]) => Number(rows)))
  return { read: most('Actual Rows'), removed: most('Rows Removed by (?:Filter|Index Recheck)') }
}

describe('a list of payments narrowed by', () => {
  it.each(FILTERS)('%s finds the same as a look at every one', async (_by, filter, count) => {
    const found = await harness.deps.payments.list(harness.tenant.id, filter(), { limit: 100, after: undefined })
    expect(found).toHaveLength(count)
    expect(found.map(({ id }) => id)).toEqual(
      found
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
  })

  it.each(FILTERS)('%s shows the same where a little is asked for', async (_by, filter) => {
    const [whole, listed] = await Promise.all(
      [undefined, LISTED_PROPERTIES].map((shown) =>
        harness.deps.payments.list(harness.tenant.id, filter(), { limit: 100, after: undefined, shown }),
      ),
    )
    expect(listed).toEqual(whole?.map((payment) => pick(payment, LISTED_PROPERTIES)))
  })

  it.each(FILTERS)('%s reads no more than it shows, from an index', async (_by, filter, count) => {
    const window = { limit: 100, after: undefined }
    const { read, removed } = await readBy(listStatement(harness.tenant.id, filter(), window))
    expect(removed).toBeLessThan(10)
    expect(read).toBeLessThanOrEqual(Math.max(count, RARE))
  })

  it.each(FILTERS)('%s is counted from an index too', async (_by, filter, count) => {
    expect(await harness.deps.payments.count(harness.tenant.id, filter(), 1000)).toBe(count)
    const { read, removed } = await readBy(countStatement(harness.tenant.id, filter(), 1000))
    expect(removed).toBeLessThan(10)
    expect(read).toBeLessThanOrEqual(Math.max(count, RARE))
  })

  it('a search goes on behind a cursor', async () => {
    const list = (limit: number, afterId?: string) =>
      harness.deps.payments.list(
        harness.tenant.id,
        { search: 'ana.rara' },
        { limit, after: afterId ? { id: afterId } : undefined },
      )
    const first = await list(4)
    const rest = await list(100, first.at(-1)?.id)
    expect([...first, ...rest].map(({ id }) => id)).toEqual((await list(100)).map(({ id }) => id))
    expect(rest).toHaveLength(RARE - 4)
  })
})

const SORTS: [string, PaymentSort, PaymentFilter][] = [
  ['the largest', { by: 'amount', direction: 'desc' }, { amount: { currency: 'BRL' } }],
  ['the smallest', { by: 'amount', direction: 'asc' }, { amount: { currency: 'BRL', atLeast: '100' } }],
  ['the oldest', { by: 'created_at', direction: 'asc' }, {}],
  ['the oldest of several statuses', { by: 'created_at', direction: 'asc' }, { statuses: ['reproved', 'registered'] }],
  [
    'the newest of several types',
    { by: 'created_at', direction: 'desc' },
    { transactionTypes: ['cardfiat', 'crypto'] },
  ],
  ['the newest of several statuses', { by: 'created_at', direction: 'desc' }, { statuses: ['registered', 'pending'] }],
]

describe('pages of lists that nothing narrows', () => {
  const { id: tenantId } = harness.tenant

  it('are read together, each from the index and no further than it goes', async () => {
    const after = (await harness.deps.payments.list(tenantId, {}, { limit: 50, after: undefined })).at(-1)?.id
    const tenants = [tenantId, tenantId, 'nobody']
    const pages = pagesOf('pages', LISTED_PROPERTIES)
    const first = await readBy({ statement: pages.first, values: [tenants, [100, 3, 9]] })
    const behind = await readBy({
      statement: pages.after,
      values: [tenants, [100, 3, 9], [after, after, after]],
    })
    for (const { read, removed } of [first, behind]) {
      expect(removed).toBe(0)
      expect(read).toBeLessThanOrEqual(100)
    }
  })

  it('are those that are read one by one, whole', async () => {
    const places = [undefined, { id: newest.id }, { id: 'c' }]
    const read = (shown?: readonly ListedProperty[]) =>
      Promise.all(places.map((after) => harness.deps.payments.list(tenantId, {}, { limit: 7, after, shown })))
    const whole = await read()
    expect(whole.map((page) => page.length)).toEqual([7, 7, 0])
    const shownOf = (names: readonly ListedProperty[]) => whole.map((page) => page.map((one) => pick(one, names)))
    expect(await read(LISTED_PROPERTIES)).toEqual(shownOf(LISTED_PROPERTIES))
    // Each by its own statement, as many as there may be, and some more that are read with all that lists show.
    const pairs = LISTED_PROPERTIES.slice(2).map((name): ListedProperty[] => ['id', name])
    const selections = [...pairs, ...pairs.map((names): ListedProperty[] => ['tenantId', ...names])]
    for (const names of selections) {
      const found = await read(names)
      expect(found.map((page) => page.map((one) => pick(one, names)))).toEqual(shownOf(names))
    }
    expect(await read(selections[0])).toEqual(shownOf(selections[0] ?? []))
    expect(await read(selections.at(-1))).toEqual(shownOf(LISTED_PROPERTIES))
  })
})

function pick(payment: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(payment).filter(([name]) => names.includes(name)))
}

describe('a list of payments that begins with', () => {
  it.each(SORTS)('%s reads a page of an index, wherever it begins', async (_which, sort, filter) => {
    const list = (limit: number, after?: { id: string; amount: string }) =>
      harness.deps.payments.list(harness.tenant.id, filter, { limit, after, sort })
    const whole = (await list(60)).map(({ id, amountFrom }) => ({ id, amount: amountFrom }))
    const rest = await list(30, whole[29])
    expect(rest.map(({ id }) => id)).toEqual(whole.slice(30).map(({ id }) => id))
    const key = ({ id, amount }: { id: string; amount: string }): [number, string] => [
      sort.by === 'amount' ? Number(amount) : 0,
      id,
    ]
    const sorted = whole.toSorted((one, other) => {
      const [[amount, id], [otherAmount, otherId]] = [key(one), key(other)]
      return amount - otherAmount || (id < otherId ? -1 : 1)
    })
    expect(whole).toEqual(sort.direction === 'asc' ? sorted : sorted.toReversed())
    const { read, removed } = await readBy(
      listStatement(harness.tenant.id, filter, { limit: 100, after: whole[29], sort }),
    )
    expect(removed).toBeLessThan(10)
    expect(read).toBeLessThanOrEqual(200)
  })

  it('is counted no further than it was asked to', async () => {
    expect(await harness.deps.payments.count(harness.tenant.id, {}, 10_001)).toBe(10_001)
    const { read } = await readBy(countStatement(harness.tenant.id, {}, 10_001))
    expect(read).toBeLessThanOrEqual(10_001)
  })
})
