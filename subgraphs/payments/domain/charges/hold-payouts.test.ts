import { parse } from 'graphql'
import { afterEach, describe, expect, it } from 'vitest'
import { changeCharge, cardPayment, payByCard } from '../../fixtures/card-payments.js'
import { chargedPayment, payAndProcess, presentOf, untilEnded } from '../../fixtures/pix-payments.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { ledgerCli } from '../../cli/ledger-cli.js'
import type { Payment } from '../../store/payment.entity.js'

const harness = await startSettlementHarness()
const { id: tenantId } = harness.tenant
afterEach(async () => {
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
})

async function run(...args: string[]): Promise<{ code: number; out: string }> {
  const lines: string[] = []
  const output = { out: (line: string) => void lines.push(line), err: () => undefined }
  const code = await ledgerCli(args, output, { databaseUrl: harness.databaseUrl, dataDir: 'nowhere' })
  return { code, out: lines.join('\n') }
}
const heldOf = async ({ id }: Payment) => {
  const document = parse(`{ payment(id: "${id}") { heldPayouts { splitIndex amount reason until } } }`)
  const context = { requestId: 'test', caller: { tenantId, keyId: 'key', products: harness.tenant.products } }
  const { data } = await harness.execute({ document, variables: {}, context })
  return (data as { payment: { heldPayouts: object[] } }).payment.heldPayouts
}
const payoutsOf = async ({ id }: Payment) => {
  const fields = 'splitIndex receiver amount symbol state reason until transactionHash transactionUrl paidAt'
  const document = parse(`{ payment(id: "${id}") { payouts { ${fields} } } }`)
  const context = { requestId: 'test', caller: { tenantId, keyId: 'key', products: harness.tenant.products } }
  const { data } = await harness.execute({ document, variables: {}, context })
  return (data as { payment: { payouts: object[] } }).payment.payouts
}
const split = () => [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
async function paidPix(): Promise<Payment> {
  const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig: split() })
  await payAndProcess(harness, txid)
  return payment
}
const paidCard = async () =>
  payByCard(harness, await cardPayment(harness, { splitPaymentConfig: split() }), { transactionType: 'cardcrypto' })

describe('a delay before payouts', () => {
  it('holds those of its rail until it is over, and tells the tenant until when', async () => {
    expect((await run('delay', '--tenant', tenantId, '--rail', 'card', '--hours', '48')).code).toBe(0)
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
    await harness.advance(47 * 3_600)
    await harness.runJobs()
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
    await harness.advance(49 * 3_600)
    await harness.runJobs()
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'error',
      dataError: { code: 'charge_taken_back' },
    })
    expect((await harness.deps.payouts.findAll(payment)).map(({ state }) => state)).toEqual(['cancelled'])
  })

  it('ends where an operator says so', async () => {
    const payment = await paidCard()
    expect(JSON.parse((await run('held', '--tenant', tenantId)).out)).toMatchObject([
      { paymentId: payment.id, reason: 'delay', state: 'waiting' },
    ])
    expect((await run('release', payment.id)).code).toBe(0)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect((await run('delay', '--tenant', tenantId, '--rail', 'card', '--hours', '4321')).code).toBe(2)
  })
})

describe('a cap of the treasury', () => {
  it('holds what would be more than may leave in a day, and an operator releases it', async () => {
    await harness.advance(24 * 3_600 + 1)
    await run('treasury-cap', '--chain', 'polygon', '--symbol', 'USDT', '--per-day', '20')
    const [first, second] = [await paidPix(), await paidPix()]
    expect(await untilEnded(harness, first)).toMatchObject({ status: 'success' })
    expect(await heldOf(second)).toEqual([{ splitIndex: 0, amount: '18.450185', reason: 'TREASURY_CAP', until: null }])
    const alerts = await harness.deps.alerts.list()
    expect(alerts).toContainEqual(expect.objectContaining({ kind: 'payout_held', subject: second.id }))
    expect((await run('release', second.id)).code).toBe(0)
    expect(await untilEnded(harness, second)).toMatchObject({ status: 'success' })
  })

  it('holds a single payout that is too large', async () => {
    await run('treasury-cap', '--chain', 'polygon', '--symbol', 'USDT', '--per-payout', '18.450184')
    const payment = await paidPix()
    expect(await heldOf(payment)).toMatchObject([{ reason: 'TREASURY_CAP' }])
    await run('treasury-cap', '--chain', 'polygon', '--symbol', 'USDT', '--per-payout', '18.450185')
    expect(await untilEnded(harness, await paidPix())).toMatchObject({ status: 'success' })
  })
})
