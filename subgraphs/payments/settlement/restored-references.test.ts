import { Keypair } from '@solana/web3.js'
import { parseUnits, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { PaymentsHarness } from '../../../test/harness/payments.js'
import { startSettlementHarness, startSolanaSettlementHarness } from '../../../test/harness/settlement.js'
import { balanceOf as balanceOnSolana } from '../../../test/harness/solana-side.js'
import { syncReceived } from '../domain/reconciliation/sync-received.js'
import { chargedPayment, payAndProcess, payCharge, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { backUp, decide, heldOf, settle } from '../fixtures/restored-database.js'
import { fundRefunds, orderRefund, untilRefunded } from '../fixtures/refunds.js'
import { ledger, runLedger } from '../fixtures/run-ledger.js'
import type { Payment } from '../store/payment.entity.js'

/** 100 BRL. */
const PAID = '18.450185'
const NAMED = "carries the payment's reference"
const OTHERS = "only pays the same, and carries another payment's reference"

interface Charged {
  payment: Payment
  txid: string
  receiver: Hex
}

const harness = await startSettlementHarness({ batches: true })
const { deps } = harness

async function charged(receiver = harness.newReceiver()): Promise<Charged> {
  const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
  return { ...(await chargedPayment(harness, { splitPaymentConfig })), receiver }
}

/** Has all of these wait, the first for the longest, and lets the next round begin. @param isApart whether the last is due a minute later */
async function waitTogether(of: PaymentsHarness, chain: string, payments: readonly Payment[], isApart = false) {
  // No job runs before that.
  expect(await runLedger(of, 'pause', '--chain', chain, '--reason', 'to look first')).toBe(0)
  await syncReceived(of.deps)
  await settle(of, chain)
  for (const [place, { id }] of payments.entries()) {
    expect(await heldOf(of, { id })).toEqual({ state: 'waiting', told: [] })
    const later = isApart && place === payments.length - 1 ? '1 minute' : `${place - payments.length} hours`
    await of.query('update payments.payout set not_before = not_before + $2::interval where payment_id = $1', [
      id,
      later,
    ])
  }
  expect(await decide(of, 'resume', '--chain', chain)).toBe(0)
}

async function expectHeldByName(of: PaymentsHarness, payment: Payment): Promise<void> {
  expect(await heldOf(of, payment)).toEqual({ state: 'held', told: [expect.stringContaining(NAMED)] })
}

async function resolve(payment: Payment, hash: Payment['tidHash']): Promise<void> {
  expect(await decide(harness, 'resolve', `foreign:${hash ?? ''}`, '--reason', 'it is named')).toBe(0)
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', tidHash: hash })
}

describe('a treasury whose database was restored, and whose transactions carry their payments’ references', () => {
  it('holds the payment that was paid, and pays others of the same receiver and amount, whichever is looked at first', async () => {
    const first = await charged()
    const [paid, last] = [await charged(first.receiver), await charged(first.receiver)]
    const restore = await backUp(harness)
    await payAndProcess(harness, paid.txid)
    const { tidHash } = await untilEnded(harness, paid.payment)
    await restore()
    for (const { txid } of [first, last]) await payCharge(harness, txid)
    await waitTogether(harness, 'polygon', [first.payment, paid.payment, last.payment])
    await settle(harness, 'polygon')
    await expectHeldByName(harness, paid.payment)
    for (const { payment } of [first, last])
      expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await harness.balanceOf(first.receiver)).toBe(3n * parseUnits(PAID, 6))
    const listed = JSON.parse((await ledger(harness, 'transactions')).text) as object[]
    expect(listed).toMatchObject([{ id: `foreign:${tidHash ?? ''}`, carriesReferencesOf: [paid.payment.id] }])
    await resolve(paid.payment, tidHash)
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('does so where a batch has paid, also one receiver the same twice', async () => {
    const unpaid = await charged()
    const paid = [await charged(unpaid.receiver), await charged(), await charged(unpaid.receiver)]
    const restore = await backUp(harness)
    for (const { txid } of paid) await payCharge(harness, txid)
    await harness.runJobs()
    for (const { payment } of paid) expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    const hashes = await Promise.all(paid.map(async ({ payment }) => (await presentOf(harness, payment)).tidHash))
    expect(new Set(hashes).size).toBe(1)
    await restore()
    await payCharge(harness, unpaid.txid)
    await waitTogether(
      harness,
      'polygon',
      [unpaid, ...paid].map(({ payment }) => payment),
    )
    await settle(harness, 'polygon')
    for (const { payment } of paid) await expectHeldByName(harness, payment)
    expect(await presentOf(harness, unpaid.payment)).toMatchObject({ status: 'success' })
    expect(await harness.balanceOf(unpaid.receiver)).toBe(3n * parseUnits(PAID, 6))
    for (const { payment } of paid.slice(0, 1)) await resolve(payment, hashes[0] ?? null)
    for (const { payment } of paid) expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('holds whom it has paid also where another was held by that transfer first, whom an operator lets go', async () => {
    const unpaid = await charged()
    const paid = await charged(unpaid.receiver)
    const restore = await backUp(harness)
    await payAndProcess(harness, paid.txid)
    const { tidHash } = await untilEnded(harness, paid.payment)
    await restore()
    await payCharge(harness, unpaid.txid)
    await waitTogether(harness, 'polygon', [unpaid.payment, paid.payment], true)
    await settle(harness, 'polygon')
    expect(await heldOf(harness, paid.payment)).toEqual({ state: 'waiting', told: [] })
    expect(await heldOf(harness, unpaid.payment)).toEqual({ state: 'held', told: [expect.stringContaining(OTHERS)] })
    for (let times = 0; times < 3; times += 1) await settle(harness, 'polygon')
    await expectHeldByName(harness, paid.payment)
    const { told, state } = await heldOf(harness, unpaid.payment)
    expect(state).toBe('held')
    expect(told).toEqual([expect.stringContaining(`carries the reference of ${paid.payment.id}`)])
    await resolve(paid.payment, tidHash)
    expect(await presentOf(harness, unpaid.payment)).toMatchObject({ status: 'pending' })
    expect(await decide(harness, 'release', unpaid.payment.id)).toBe(0)
    await settle(harness, 'polygon')
    expect(await presentOf(harness, unpaid.payment)).toMatchObject({ status: 'success' })
    expect(await harness.balanceOf(paid.receiver)).toBe(2n * parseUnits(PAID, 6))
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('pays neither share of one wallet again, where another payment of the same shares was held by their transfers first', async () => {
    const receiver = harness.newReceiver()
    const splitPaymentConfig = [1, 2].map(() => ({ receiverWallet: receiver, receiverPercent: 50 }))
    const unpaid = await chargedPayment(harness, { splitPaymentConfig })
    const paid = await chargedPayment(harness, { splitPaymentConfig })
    const restore = await backUp(harness)
    await payAndProcess(harness, paid.txid)
    const { tidHash } = await untilEnded(harness, paid.payment)
    await restore()
    await payCharge(harness, unpaid.txid)
    await waitTogether(harness, 'polygon', [unpaid.payment, paid.payment], true)
    for (let times = 0; times < 4; times += 1) await settle(harness, 'polygon')
    const statesOf = async ({ id }: Payment) =>
      (await deps.payouts.findAll({ tenantId: harness.tenant.id, id })).map(({ state }) => state)
    expect(await statesOf(paid.payment)).toEqual(['held', 'held'])
    expect(await harness.balanceOf(receiver)).toBe(parseUnits(PAID, 6))
    await resolve(paid.payment, tidHash)
    expect(await decide(harness, 'release', unpaid.payment.id)).toBe(0)
    await settle(harness, 'polygon')
    expect(await presentOf(harness, unpaid.payment)).toMatchObject({ status: 'success' })
    expect(await harness.balanceOf(receiver)).toBe(2n * parseUnits(PAID, 6))
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('pays once more whom an operator lets go of the transfer that carries the reference', async () => {
    const { payment, txid, receiver } = await charged()
    const restore = await backUp(harness)
    await payAndProcess(harness, txid)
    await untilEnded(harness, payment)
    await restore()
    await syncReceived(deps)
    await settle(harness, 'polygon')
    await expectHeldByName(harness, payment)
    expect(await decide(harness, 'release', payment.id)).toBe(0)
    await settle(harness, 'polygon')
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await harness.balanceOf(receiver)).toBe(2n * parseUnits(PAID, 6))
  })

  it('holds what it has paid less of, since a refund was taken off it before that is lost too', async () => {
    const { payment, txid, receiver } = await charged()
    const restore = await backUp(harness)
    expect(await runLedger(harness, 'pause', '--chain', 'polygon', '--reason', 'to refund first')).toBe(0)
    await payAndProcess(harness, txid)
    await fundRefunds(harness.databaseUrl, harness.tenant.id, '50', 'lost')
    await orderRefund(harness, payment, { amount: '50' })
    await untilRefunded(harness, payment)
    expect(await decide(harness, 'resume', '--chain', 'polygon')).toBe(0)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    const paid = await harness.balanceOf(receiver)
    expect(paid).toBeLessThan(parseUnits(PAID, 6))
    await restore()
    expect(await runLedger(harness, 'pause', '--chain', 'polygon', '--reason', 'to look first')).toBe(0)
    await syncReceived(deps)
    await settle(harness, 'polygon')
    // As where the provider does not show the refund yet.
    const whole = `update payments.payout set amount = $2, withheld = '0' where payment_id = $1`
    await harness.query(whole, [payment.id, PAID])
    expect(await decide(harness, 'resume', '--chain', 'polygon')).toBe(0)
    await settle(harness, 'polygon')
    expect(await harness.balanceOf(receiver)).toBe(paid)
    await expectHeldByName(harness, payment)
  })

  it('holds the payment that was paid on Solana, and pays another of the same receiver and amount', async () => {
    const onSolana = await startSolanaSettlementHarness()
    const receiver = Keypair.generate().publicKey.toBase58()
    const terms = {
      ...{ toChain: 'solana', toCurrencySymbol: 'USDC', amountFrom: '54.2' },
      splitPaymentConfig: [{ receiverWallet: receiver, receiverPercent: 100 }],
    }
    const [unpaid, paid] = [await chargedPayment(onSolana, terms), await chargedPayment(onSolana, terms)]
    const restore = await backUp(onSolana)
    const settleOn = () => settle(onSolana, 'solana', () => onSolana.solana.solana.advance(1))
    await payAndProcess(onSolana, paid.txid)
    await settleOn()
    expect(await presentOf(onSolana, paid.payment)).toMatchObject({ status: 'success' })
    await restore()
    await payCharge(onSolana, unpaid.txid)
    await waitTogether(onSolana, 'solana', [unpaid.payment, paid.payment])
    await settleOn()
    await settleOn()
    await expectHeldByName(onSolana, paid.payment)
    expect(await presentOf(onSolana, unpaid.payment)).toMatchObject({ status: 'success' })
    expect(await balanceOnSolana(onSolana.solana, receiver)).toBe(20_001_846n)
  })
})
