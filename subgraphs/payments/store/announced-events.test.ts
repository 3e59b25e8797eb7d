import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { ANNOUNCED_AFTER, type AnnouncedEvent } from './announced-events.js'

const PAYMENTS = 300
/** Each payment's last sequence. Of its changes every tenth is told to nobody. */
const LAST = 101
const TOLD = PAYMENTS * 90
const START = Date.parse('2026-01-01T00:00:00.000Z')

const harness = await startPaymentsHarness()
// All payments change at the same time, so that a page ends among changes of one time.
await harness.query(
  `insert into payments.payment_event (tenant_id, payment_id, sequence, type, cause, change, notify, created_at)
    select tenant_id, 'c' || lpad(payment::text, 24, '0'), n, 'payment.pending', 'transaction_created', '{}', n % 10 <> 0,
      $1::timestamptz + n * interval '1 second'
    from unnest($2::text[]) as tenant_id, generate_series(1, $3::int) as payment, generate_series(1, $4::int) as n`,
  [new Date(START).toISOString(), [harness.tenant.id, 'another'], PAYMENTS, LAST],
)
await harness.query('analyze payments.payment_event')

/** Before the changes that have this sequence. */
const placeBefore = (sequence: number): AnnouncedEvent => ({
  at: new Date(START + sequence * 1000).toISOString(),
  paymentId: '',
  sequence: 0,
})
const read = (place: AnnouncedEvent) => harness.deps.payments.announcedAfter(harness.tenant.id, place)

describe('what a tenant is told of', () => {
  it('is read page by page in the order of its times, each change once, but for registrations', async () => {
    const told: AnnouncedEvent[] = []
    for (let page = await read(placeBefore(1)); page.length > 0;) {
      told.push(...page)
      const last = page.at(-1)
      page = last ? await read(last) : []
    }
    expect(new Set(told.map(({ paymentId, sequence }) => `${paymentId}:${sequence}`)).size).toBe(TOLD)
    expect(told).toHaveLength(TOLD)
    expect(told[0]?.sequence).toBe(2)
    const sequences = told.map(({ sequence }) => sequence)
    expect(sequences).toEqual(sequences.toSorted((one, other) => one - other))
  })

  it.each([1, 50, LAST])(
    'reads a page of an index, and no more, from before the changes of sequence %i on',
    async (from) => {
      const { at, paymentId, sequence } = placeBefore(from)
      const values = [harness.tenant.id, at, paymentId, sequence]
      const [row] = await harness.query(`explain (analyze, format json) ${ANNOUNCED_AFTER.text}`, values)
      const plan = JSON.stringify(row)
      expect(plan).toContain('payment_event_announced')
      expect(plan).not.toMatch(/Seq Scan|"Sort"/)
      const most = (what: string): number =>
        Math.max(0, ...[...plan.matchAll(new RegExp(`"${what}":([\\d.]+)`, 'g'))].map(([, rows]) => Number(rows)))
      expect(most('Actual Rows')).toBe(100)
      expect(most('Rows Removed by (?:Filter|Index Recheck)')).toBe(0)
    },
  )
})
