import type { Hex } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { balanceIn } from '../fixtures/books.js'
import { runLedger } from '../fixtures/run-ledger.js'
import {
  chargedPayment,
  paidPayment,
  payAndProcess,
  presentOf,
  startPix,
  untilToldOf,
} from '../fixtures/pix-payments.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { HOLD_UNDECIDED } from '../store/migrations/0093-disputes.js'
import type { Payment } from '../store/payment.entity.js'

const harness = await startSettlementHarness()
beforeEach(() => harness.emptyTreasury())

const splitOf = (...percents: number[]) =>
  percents.map((receiverPercent) => ({ receiverWallet: harness.newReceiver(), receiverPercent }))
const balancesOf = (split: readonly { receiverWallet: string }[]) =>
  Promise.all(split.map(({ receiverWallet }) => harness.balanceOf(receiverWallet as Hex)))
const statesOf = async (payment: Payment) => (await harness.deps.payouts.findAll(payment)).map(({ state }) => state)

/** The network takes money back by force. */
async function takeBack(endToEndId: string, body: object = {}): Promise<void> {
  await harness.pixControl(`/pix/${endToEndId}/med`, body)
  await untilToldOf(harness, endToEndId, 2)
  await harness.runJobs()
}

/** A payment whose money the payer's bank wants back, and has not decided about. */
async function wantedBack() {
  const splitPaymentConfig = splitOf(100)
  const { payment, endToEndId } = await paidPayment(harness, { splitPaymentConfig })
  await takeBack(endToEndId, { held: true })
  return { payment, endToEndId, splitPaymentConfig }
}

const heldAlertOf = async ({ id }: Payment) =>
  (await harness.deps.alerts.list()).find(({ kind, subject }) => kind === 'payout_held' && subject === id)

async function fundAndRun(amount: string): Promise<void> {
  await harness.fundTreasury(amount)
  await harness.goOn(20)
}

async function tenantBalances() {
  const of = async (currency: string) => Number(await balanceIn(harness.deps, 'tenant', currency))
  return { BRL: await of('BRL'), USDT: await of('USDT') }
}

describe('money that is taken back by force', () => {
  it('ends the payment for good: nobody is paid, and it cannot be paid again', async () => {
    const splitPaymentConfig = splitOf(100)
    const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig })
    await takeBack(await payAndProcess(harness, txid))
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'error',
      dataError: { code: 'charge_taken_back' },
    })
    await expect(startPix(harness, payment)).rejects.toMatchObject({ code: 'payment_already_processed' })
    await fundAndRun('1000')
    expect(await balancesOf(splitPaymentConfig)).toEqual([0n])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    expect(await tenantBalances()).toEqual({ BRL: 0, USDT: 0 })
  })

  it('stops the receivers who are not paid yet, where some are', async () => {
    const before = await tenantBalances()
    await harness.fundTreasury('12')
    const splitPaymentConfig = splitOf(60, 40)
    const { payment, endToEndId } = await paidPayment(harness, { splitPaymentConfig })
    expect(await statesOf(payment)).toEqual(['confirmed', 'waiting'])
    await takeBack(endToEndId)
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'error',
      dataError: { code: 'charge_taken_back' },
    })
    await fundAndRun('1000')
    expect(await statesOf(payment)).toEqual(['confirmed', 'cancelled'])
    expect(await balancesOf(splitPaymentConfig)).toEqual([11_070_111n, 0n])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    // The tenant owes us what the first receiver got.
    const after = await tenantBalances()
    expect(after.BRL - before.BRL).toBeCloseTo(60, 6)
    expect(after.USDT - before.USDT).toBeCloseTo(0, 6)
  })

  it('has the receivers paid all the same where an operator decides so', async () => {
    const splitPaymentConfig = splitOf(100)
    const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig })
    await takeBack(await payAndProcess(harness, txid), { valor: '0.50' })
    await harness.fundTreasury('1000')
    expect(await runLedger(harness, 'release', payment.id)).toBe(0)
    expect(await runLedger(harness, 'release', payment.id)).toBe(1)
    await harness.goOn(20)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await balancesOf(splitPaymentConfig)).toEqual([18_450_185n])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('stops a payout that was on its way and comes back unpaid', async () => {
    await harness.fundTreasury('1000')
    await harness.anvil.setAutomine(false)
    const splitPaymentConfig = splitOf(100)
    const { payment, endToEndId } = await paidPayment(harness, { splitPaymentConfig })
    expect(await statesOf(payment)).toEqual(['sending'])
    await takeBack(endToEndId)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    const held = await harness.setTreasuryUnits(0n)
    await harness.anvil.mine({ blocks: 1 })
    await harness.setTreasuryUnits(held)
    await harness.anvil.setAutomine(true)
    await harness.goOn(90)
    await harness.goOn(90)
    expect(await statesOf(payment)).toEqual(['cancelled'])
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'error',
      dataError: { code: 'charge_taken_back' },
    })
    expect(await balancesOf(splitPaymentConfig)).toEqual([0n])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('pays nobody while the bank decides, and ends the payment where it takes the money', async () => {
    const { payment, endToEndId, splitPaymentConfig } = await wantedBack()
    await fundAndRun('1000')
    expect(await statesOf(payment)).toEqual(['held'])
    expect(await balancesOf(splitPaymentConfig)).toEqual([0n])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', dataError: null })
    expect(await heldAlertOf(payment)).toMatchObject({ details: expect.stringContaining('not decided') as string })
    await harness.pixControl('/returns', { mode: 'settle' })
    await untilToldOf(harness, endToEndId, 3)
    await harness.runJobs()
    expect(await statesOf(payment)).toEqual(['cancelled'])
    expect(await presentOf(harness, payment)).toMatchObject({ dataError: { code: 'charge_taken_back' } })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('tells an operator where the bank decides against it, who has the receivers paid', async () => {
    const { payment, endToEndId, splitPaymentConfig } = await wantedBack()
    await harness.pixControl('/returns', { mode: 'refuse' })
    await untilToldOf(harness, endToEndId, 3)
    await harness.runJobs()
    await harness.goOn(12)
    await harness.pixControl('/returns', { mode: 'settle' })
    expect(await statesOf(payment)).toEqual(['held'])
    expect(await heldAlertOf(payment)).toMatchObject({ count: 2, details: expect.stringContaining('stay') as string })
    await harness.fundTreasury('1000')
    expect(await runLedger(harness, 'release', payment.id)).toBe(0)
    await harness.goOn(20)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await balancesOf(splitPaymentConfig)).toEqual([18_450_185n])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('holds what the version before has left to be paid while the bank decides', async () => {
    const { payment } = await wantedBack()
    const other = (await paidPayment(harness, { splitPaymentConfig: splitOf(100) })).payment
    await harness.query(`update payments.payout set state = 'waiting', hold_reason = null where payment_id = $1`, [
      payment.id,
    ])
    await harness.query(`delete from payments.operator_alert where subject = $1`, [payment.id])
    await harness.query(HOLD_UNDECIDED)
    expect(await statesOf(payment)).toEqual(['held'])
    expect(await heldAlertOf(payment)).toMatchObject({ details: expect.stringContaining('not decided') as string })
    expect(await statesOf(other)).toEqual(['waiting'])
    await fundAndRun('1000')
    expect([await statesOf(payment), await statesOf(other)]).toEqual([['held'], ['confirmed']])
  })

  it('stops a payout that was on its way while the bank decides, and comes back unpaid', async () => {
    await harness.fundTreasury('1000')
    await harness.anvil.setAutomine(false)
    const { payment, splitPaymentConfig } = await wantedBack()
    expect(await statesOf(payment)).toEqual(['sending'])
    const units = await harness.setTreasuryUnits(0n)
    await harness.anvil.mine({ blocks: 1 })
    await harness.setTreasuryUnits(units)
    await harness.anvil.setAutomine(true)
    await harness.goOn(90)
    await harness.goOn(90)
    expect(await statesOf(payment)).toEqual(['held'])
    expect(await balancesOf(splitPaymentConfig)).toEqual([0n])
  })

  it('leaves it to an operator where only a part of it was taken', async () => {
    const splitPaymentConfig = splitOf(100)
    const { payment, endToEndId } = await paidPayment(harness, { splitPaymentConfig })
    await takeBack(endToEndId, { valor: '30.00' })
    await fundAndRun('1000')
    expect(await statesOf(payment)).toEqual(['held'])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect(await heldAlertOf(payment)).toBeDefined()
    expect(await balancesOf(splitPaymentConfig)).toEqual([0n])
    // The rest is taken as well: now there is nothing left to decide.
    await harness.pixControl(`/pix/${endToEndId}/med`, { valor: '70.00' })
    await untilToldOf(harness, endToEndId, 3)
    await harness.runJobs()
    expect(await statesOf(payment)).toEqual(['cancelled'])
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'error',
      dataError: { code: 'charge_taken_back' },
    })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
