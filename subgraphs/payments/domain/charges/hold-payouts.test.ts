import { afterEach, describe, expect, it } from 'vitest'
import { changeCharge, cardPayment, payByCard } from '../../fixtures/card-payments.js'
import { paidPayment, presentOf, untilEnded, untilToldOf } from '../../fixtures/pix-payments.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { ledger, runLedger } from '../../fixtures/run-ledger.js'
import { KEEP_DELAYS } from '../../store/migrations/0093-disputes.js'
import type { Payment } from '../../store/payment.entity.js'

const harness = await startSettlementHarness()
const { id: tenantId } = harness.tenant
afterEach(async () => {
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
})

async function shownOf({ id }: Payment, field: string, fields: string): Promise<object[]> {
  const { data } = await harness.graphql(`{ payment(id: "${id}") { ${field} { ${fields} } } }`)
  return (data as { payment: Record<string, object[]> }).payment[field] ?? []
}
const heldOf = (payment: Payment) => shownOf(payment, 'heldPayouts', 'splitIndex amount reason until')
const PAYOUT = 'splitIndex receiver amount symbol state reason until transactionHash transactionUrl paidAt'
const payoutsOf = (payment: Payment) => shownOf(payment, 'payouts', PAYOUT)
const split = () => [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
const paidPix = async () => (await paidPayment(harness, { splitPaymentConfig: split() })).payment
const paidCard = async () =>
  payByCard(harness, await cardPayment(harness, { splitPaymentConfig: split() }), { transactionType: 'cardcrypto' })

describe('a delay before payouts', () => {
  it('holds those of its rail until it is over, and tells the tenant until when', async () => {
    expect(await runLedger(harness, 'delay', '--tenant', tenantId, '--rail', 'card', '--hours', '48')).toBe(0)
    expect(await untilEnded(harness, await paidPix())).toMatchObject({ status: 'success' })
    const payment = await paidCard()
    await harness.runJobs()
    const until = new Date((await presentOf(harness, payment)).updatedAt.getTime() + 48 * 3_600_000)
    expect(await heldOf(payment)).toMatchObject([{ splitIndex: 0, amount: '18.450185', reason: 'DELAY' }])
    const shown = { splitIndex: 0, amount: '18.450185', symbol: 'USDT', transactionUrl: null }
    expect(await payoutsOf(payment)).toMatchObject([
      { ...shown, state: 'HELD', reason: 'DELAY', transactionHash: null, paidAt: null },
    ])
    const [{ until: told } = { until: '' }] = (await heldOf(payment)) as { until: string }[]
    expect(Math.abs(new Date(told).getTime() - until.getTime())).toBeLessThan(60_000)
    await harness.goOn(47 * 3_600)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    await harness.advance(3_601)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await heldOf(payment)).toEqual([])
    const [payout] = await payoutsOf(payment)
    expect(payout).toMatchObject({
      ...shown,
      state: 'PAID',
      reason: null,
      until: null,
      transactionHash: expect.stringMatching(/^0x/),
    })
  })

  it('has a chargeback find the money still here', async () => {
    const payment = await paidCard()
    await changeCharge(harness, payment, 'chargeback')
    await harness.goOn(49 * 3_600)
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'error',
      dataError: { code: 'charge_taken_back' },
    })
    expect((await harness.deps.payouts.findAll(payment)).map(({ state }) => state)).toEqual(['cancelled'])
  })

  it('ends where an operator says so', async () => {
    const payment = await paidCard()
    expect(JSON.parse((await ledger(harness, 'held', '--tenant', tenantId)).text)).toMatchObject([
      { paymentId: payment.id, reason: 'delay', state: 'waiting' },
    ])
    expect(await runLedger(harness, 'release', payment.id)).toBe(0)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await runLedger(harness, 'delay', '--tenant', tenantId, '--rail', 'card', '--hours', '4321')).toBe(2)
  })
})

describe('a delay of payouts that something else holds meanwhile', () => {
  /** A bank wants a payment's money back, and decides later. */
  async function wantBack(payment: Payment, endToEndId: string): Promise<void> {
    await harness.pixControl(`/pix/${endToEndId}/med`, { held: true })
    await untilToldOf(harness, endToEndId, 2)
    await harness.runJobs()
    expect(await heldOf(payment)).toMatchObject([{ reason: 'PARTLY_TAKEN_BACK', until: null }])
  }
  const untilOf = async (payment: Payment) => ((await heldOf(payment)) as { until: string }[])[0]?.until

  it('goes on where a bank has wanted the money back and decides against it', async () => {
    await runLedger(harness, 'delay', '--tenant', tenantId, '--rail', 'pix', '--hours', '48')
    const { payment, endToEndId } = await paidPayment(harness, { splitPaymentConfig: split() })
    const until = await untilOf(payment)
    await wantBack(payment, endToEndId)
    await harness.pixControl('/returns', { mode: 'refuse' })
    await untilToldOf(harness, endToEndId, 3)
    await harness.runJobs()
    await harness.pixControl('/returns', { mode: 'settle' })
    expect(await runLedger(harness, 'release', payment.id)).toBe(0)
    expect(await heldOf(payment)).toMatchObject([{ reason: 'DELAY', until }])
    await harness.goOn(47 * 3_600)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    await harness.advance(3_601)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  })

  it('ends where an operator releases them once more, of payouts of the version before too', async () => {
    const { payment, endToEndId } = await paidPayment(harness, { splitPaymentConfig: split() })
    await wantBack(payment, endToEndId)
    await harness.query('update payments.payout set delayed_until = null where payment_id = $1', [payment.id])
    await harness.query(KEEP_DELAYS)
    expect(await runLedger(harness, 'release', payment.id)).toBe(0)
    expect(await heldOf(payment)).toMatchObject([{ reason: 'DELAY' }])
    expect(await runLedger(harness, 'release', payment.id)).toBe(0)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    await runLedger(harness, 'delay', '--tenant', tenantId, '--rail', 'pix', '--hours', '0')
  })
})

describe('a cap of the treasury', () => {
  it('holds what would be more than may leave in a day, and an operator releases it', async () => {
    await harness.advance(24 * 3_600 + 1)
    await runLedger(harness, 'treasury-cap', '--chain', 'polygon', '--symbol', 'USDT', '--per-day', '20')
    const [first, second] = [await paidPix(), await paidPix()]
    expect(await untilEnded(harness, first)).toMatchObject({ status: 'success' })
    expect(await heldOf(second)).toEqual([{ splitIndex: 0, amount: '18.450185', reason: 'TREASURY_CAP', until: null }])
    const alerts = await harness.deps.alerts.list()
    expect(alerts).toContainEqual(expect.objectContaining({ kind: 'payout_held', subject: second.id }))
    expect(await runLedger(harness, 'release', second.id)).toBe(0)
    expect(await untilEnded(harness, second)).toMatchObject({ status: 'success' })
  })

  it('holds a single payout that is too large', async () => {
    await runLedger(harness, 'treasury-cap', '--chain', 'polygon', '--symbol', 'USDT', '--per-payout', '18.450184')
    const payment = await paidPix()
    expect(await heldOf(payment)).toMatchObject([{ reason: 'TREASURY_CAP' }])
    await runLedger(harness, 'treasury-cap', '--chain', 'polygon', '--symbol', 'USDT', '--per-payout', '18.450185')
    expect(await untilEnded(harness, await paidPix())).toMatchObject({ status: 'success' })
  })

  it('is one hold, and a bank that wants the money back is another, and the delay a third', async () => {
    await runLedger(harness, 'treasury-cap', '--chain', 'polygon', '--symbol', 'USDT', '--per-payout', '18.450184')
    await runLedger(harness, 'delay', '--tenant', tenantId, '--rail', 'pix', '--hours', '48')
    const { payment, endToEndId } = await paidPayment(harness, { splitPaymentConfig: split() })
    await harness.pixControl(`/pix/${endToEndId}/med`, { held: true })
    await untilToldOf(harness, endToEndId, 2)
    await harness.runJobs()
    expect(await heldOf(payment)).toMatchObject([{ reason: 'TREASURY_CAP' }])
    expect(await runLedger(harness, 'release', payment.id)).toBe(1)
    await harness.runJobs()
    expect(await heldOf(payment)).toMatchObject([{ reason: 'PARTLY_TAKEN_BACK' }])
    expect(await runLedger(harness, 'release', payment.id)).toBe(0)
    expect(await heldOf(payment)).toMatchObject([{ reason: 'DELAY' }])
    expect(await runLedger(harness, 'release', payment.id)).toBe(0)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  })

  it('does not keep an operator from hearing that the bank leaves the money', async () => {
    const { payment, endToEndId } = await paidPayment(harness, { splitPaymentConfig: split() })
    await harness.pixControl(`/pix/${endToEndId}/med`, { held: true })
    await untilToldOf(harness, endToEndId, 2)
    await harness.runJobs()
    await harness.pixControl('/returns', { mode: 'refuse' })
    await untilToldOf(harness, endToEndId, 3)
    await harness.runJobs()
    await harness.goOn(12)
    await harness.pixControl('/returns', { mode: 'settle' })
    expect(await heldOf(payment)).toMatchObject([{ reason: 'TREASURY_CAP' }])
    const alerts = await harness.deps.alerts.list()
    const details = expect.stringContaining('stay') as string
    expect(alerts).toContainEqual(expect.objectContaining({ kind: 'payout_held', subject: payment.id, details }))
  })
})
