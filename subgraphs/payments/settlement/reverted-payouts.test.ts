import type { Address, Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { chargedPayment, payAndProcess, presentOf } from '../fixtures/pix-payments.js'
import { transactionsOf } from '../fixtures/rows.js'
import type { Payment } from '../store/payment.entity.js'
import { releasePayouts } from './release-payouts.js'

/** Code of a receiver: burns all gas that it gets and takes nothing, or takes everything. */
const [REFUSES, TAKES] = ['0xfe', '0x00'] as const

const harness = await startSettlementHarness()
const { anvil } = harness

/** A paid payment in the chain's coin whose receiver takes it when a node tries it. Nothing is mined by itself from then on. */
async function paidToCode(): Promise<{ payment: Payment; receiver: Address }> {
  const receiver = harness.newReceiver()
  await anvil.setCode({ address: receiver, bytecode: TAKES })
  const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
  const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig, toCurrencySymbol: 'POL' })
  await anvil.setAutomine(false)
  await payAndProcess(harness, txid)
  return { payment, receiver }
}

/** Has the receiver be so while blocks are mined, and take everything when a node tries it an hour later. */
async function mineAs(receiver: Address, bytecode: Hex): Promise<void> {
  await anvil.setCode({ address: receiver, bytecode })
  await anvil.mine({ blocks: 2 })
  await harness.goOn(1)
  await anvil.setCode({ address: receiver, bytecode: TAKES })
  await harness.goOn(3_601)
}

const countSent = async (payment: Payment) => (await transactionsOf(harness, payment)).length

describe('a receiver whose code takes a payout when a node tries it, and burns the gas in the block', () => {
  it('has three transactions, is held for an operator, and one more a release', { timeout: 60_000 }, async () => {
    const { payment, receiver } = await paidToCode()
    for (let hour = 0; hour < 6; hour += 1) await mineAs(receiver, REFUSES)
    expect(await countSent(payment)).toBe(3)
    expect(await harness.deps.payouts.findAll(payment)).toMatchObject([{ state: 'held', holdReason: 'reverted' }])
    const told = (await harness.deps.alerts.list()).filter(({ subject }) => subject === payment.id)
    expect(told.map(({ kind }) => kind)).toContain('payout_held')
    expect(await releasePayouts(harness.db, harness.clock, payment.id)).toBe(1)
    await harness.goOn(1)
    for (let hour = 0; hour < 2; hour += 1) await mineAs(receiver, REFUSES)
    expect(await countSent(payment)).toBe(4)
    expect(await harness.deps.payouts.findAll(payment)).toMatchObject([{ state: 'held', holdReason: 'reverted' }])
    expect(await releasePayouts(harness.db, harness.clock, payment.id)).toBe(1)
    await harness.goOn(1)
    await mineAs(receiver, TAKES)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await countSent(payment)).toBe(5)
    expect(await anvil.getBalance({ address: receiver })).toBeGreaterThan(0n)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
