import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { readsOf } from '../../../test/harness/reads-of.js'
import { checkoutPayment } from '../fixtures/payments.js'
import { ANNOUNCED_AFTER } from './announced-events.js'

const ENTRIES = 20_000
const PAGE = 100

const harness = await startPaymentsHarness()
const { id: tenantId } = harness.tenant
const [payment, other] = [await checkoutPayment(harness), await checkoutPayment(harness)]
// One a second in turns of two payments; every tenth is told to nobody.
await harness.query(
  `insert into payments.payment_event (tenant_id, payment_id, sequence, type, cause, change, notify, created_at)
    select $1, case when n % 2 = 0 then $2 else $3 end, n, 'payment.pending', 'transaction_created', '{}', n % 10 <> 0,
      $4::timestamptz + n * interval '1 second'
    from generate_series(2, $5::int) as n`,
  [tenantId, payment.id, other.id, payment.createdAt.toISOString(), ENTRIES],
)
await harness.query('analyze payments.payment_event')

const placeAt = (n: number) => ({
  at: new Date(payment.createdAt.getTime() + n * 1000).toISOString(),
  paymentId: '',
  sequence: 0,
})

describe('what a stream of all payments has missed', () => {
  it('is read page by page in the order of its times, without what nobody is told', async () => {
    const from = ENTRIES - 299
    const read: number[] = []
    for (let place = placeAt(from), isMore = true; isMore;) {
      const page = await harness.deps.payments.announcedAfter(tenantId, place)
      read.push(...page.map(({ sequence }) => sequence))
      place = page.at(-1) ?? place
      isMore = page.length === PAGE
    }
    const all = Array.from({ length: ENTRIES - from + 1 }, (_, index) => from + index)
    expect(read).toEqual(all.filter((sequence) => sequence % 10 !== 0))
  })

  it.each([2, ENTRIES / 2, ENTRIES - 299])(
    'is a page of an index, and not the history of the tenant, from entry %i on',
    async (n) => {
      const { at, paymentId, sequence } = placeAt(n)
      const { kinds, rows } = await readsOf(harness.query, 'payment_event', {
        text: ANNOUNCED_AFTER.text,
        values: [tenantId, at, paymentId, sequence],
      })
      expect(kinds).toHaveLength(1)
      expect(kinds[0]).toMatch(/^Index/)
      expect(rows).toBe(PAGE)
    },
  )
})
