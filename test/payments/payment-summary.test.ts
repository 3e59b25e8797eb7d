import { describe, expect, it } from 'vitest'
import { postJson } from '../harness/control.js'
import { until } from '../harness/until.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()
const { tenant } = harness
const DAY_MS = 86_400_000

const SUMMARY = `query ($from: DateTime!, $to: DateTime) {
  paymentSummary(from: $from, to: $to) {
    counted
    days { day currency registered paid sum }
    returned { currency refunded disputed }
    methods { transactionType begun paid }
    failures { reason count }
    medianSettleSeconds
    slowSettleSeconds
  }
}`
const daysAgo = (days: number): string => new Date(harness.clock.now().getTime() - days * DAY_MS).toISOString()
const summary = async (variables: object, as = tenant) => {
  const { body } = await harness.graphql(SUMMARY, variables, { as })
  return body.data?.['paymentSummary'] ?? body
}

describe('paymentSummary', () => {
  it('counts what was registered, begun, paid and failed, each by itself, and nothing of another tenant', async () => {
    const order = await tenant.createOrder({
      amount_from: '149.90',
      payment_method_allowed: { pixcrypto: true },
    })
    const { id, charge } = await tenant.pixOfOrder(order)
    await tenant.pixOfOrder(order)
    const canceled = await tenant.register({ order_code: order })
    expect((await tenant.post(`/payment/${canceled}/cancel`)).status).toBe(200)
    await postJson(`${harness.pixUrl}/sandbox/cob/${charge.txid}/pay`)
    await tenant.untilStatus(id, 'success')
    harness.clock.advance(1_000)
    const day = harness.clock.now().toISOString().slice(0, 10)
    expect(await summary({ from: daysAgo(1) })).toEqual({
      counted: 3,
      days: [{ day, currency: 'BRL', registered: 3, paid: 1, sum: '149.9' }],
      returned: [],
      methods: [{ transactionType: 'PIXCRYPTO', begun: 2, paid: 1 }],
      failures: [{ reason: 'CANCELED', count: 1 }],
      medianSettleSeconds: expect.any(Number),
      slowSettleSeconds: expect.any(Number),
    })
    const nothing = {
      counted: 0,
      days: [],
      returned: [],
      methods: [],
      failures: [],
      medianSettleSeconds: null,
      slowSettleSeconds: null,
    }
    expect(await summary({ from: daysAgo(3), to: daysAgo(2) })).toEqual(nothing)
    expect(await summary({ from: daysAgo(1) }, await harness.dashboard.newTenant())).toEqual(nothing)
  })

  it('says what refunds and disputes have brought back in the time, which paid payments do not tell', async () => {
    const shop = await harness.dashboard.newTenant()
    const paidByPix = async (): Promise<{ id: string; endToEndId: string }> => {
      const order = await shop.createOrder({ amount_from: '100.00', payment_method_allowed: { pixcrypto: true } })
      const { id, charge } = await shop.pixOfOrder(order)
      await postJson(`${harness.pixUrl}/sandbox/cob/${charge.txid}/pay`)
      await shop.untilStatus(id, 'success')
      const answer = await fetch(`${harness.pixUrl}/sandbox/cob`)
      const { cobs } = (await answer.json()) as { cobs: { txid: string; pix: { endToEndId: string }[] }[] }
      return { id, endToEndId: cobs.find(({ txid }) => txid === charge.txid)?.pix[0]?.endToEndId ?? '' }
    }
    const [refunded, disputed] = [await paidByPix(), await paidByPix()]
    await postJson(`${harness.pixUrl}/sandbox/pix/${refunded.endToEndId}/return`, { valor: '30.50' })
    await postJson(`${harness.pixUrl}/sandbox/pix/${disputed.endToEndId}/med`)
    const returned = async (from: string, to?: string) => {
      const found = (await summary({ from, to }, shop)) as { returned: object[]; days: { sum: string }[] }
      return { returned: found.returned, paid: found.days.map(({ sum }) => sum) }
    }
    const back = [{ currency: 'BRL', refunded: '30.5', disputed: '100' }]
    await until('both are back', async () => {
      harness.clock.advance(1_000)
      return JSON.stringify((await returned(daysAgo(1))).returned) === JSON.stringify(back)
    })
    expect(await returned(daysAgo(1))).toEqual({ returned: back, paid: ['200'] })
    expect(await returned(daysAgo(3), daysAgo(2))).toEqual({ returned: [], paid: [] })
  })

  it.each([
    [93, 0],
    [1, 2],
  ])('refuses a time that is too long or ends before it begins: %i to %i days ago', async (from, to) => {
    expect(await summary({ from: daysAgo(from), to: daysAgo(to) })).toMatchObject({
      errors: [{ extensions: { code: 'VALIDATION_ERROR', errors: [{ field: 'to' }] } }],
    })
  })
})
