import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { act } from '../../../test/harness/evm.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { balanceIn } from '../fixtures/books.js'
import { chargedPayment, payCharge, presentOf, untilToldOf } from '../fixtures/pix-payments.js'
import { orderRefund, untilRefunded } from '../fixtures/refunds.js'
import { transactionsOf } from '../fixtures/rows.js'
import { runLedger, runLedgerWorking } from '../fixtures/run-ledger.js'
import type { Payment } from '../store/payment.entity.js'

const FINALITY_BLOCKS = 4

const harness = await startSettlementHarness({ batches: true, finalityBlocks: FINALITY_BLOCKS })

interface Charge {
  payment: Payment
  receiver: Hex
  endToEndId: string
}

/** Charges whose payouts are in one transaction that no block has taken. 54.2 BRL are 10 USDT. */
async function sentTogether(count: number) {
  const charges: Charge[] = []
  for (let index = 0; index < count; index += 1) {
    const receiver = harness.newReceiver()
    const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
    const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig, amountFrom: '54.2' })
    charges.push({ payment, receiver, endToEndId: await payCharge(harness, txid) })
  }
  await harness.anvil.setAutomine(false)
  await harness.runJobs()
  const [first] = charges
  const [sent] = first ? await transactionsOf(harness, first.payment) : []
  return { charges, sent: { id: String(sent?.['batch_id']), hash: sent?.['hash'] as Hex } }
}

const mine = async (blocks: number) => {
  await harness.anvil.mine({ blocks })
  await harness.anvil.setAutomine(true)
  await harness.goOn(3)
}
const decide = async (...args: string[]) => (await runLedgerWorking(harness, ...args)).code
const statesOf = async (charges: readonly Charge[]) =>
  (await Promise.all(charges.map(({ payment }) => harness.deps.payouts.findAll(payment))))
    .flat()
    .map((one) => one.state)
const statuses = (charges: readonly Charge[]) =>
  Promise.all(charges.map(async ({ payment }) => (await presentOf(harness, payment)).status))
const balances = (charges: readonly Charge[]) => Promise.all(charges.map(({ receiver }) => harness.balanceOf(receiver)))
const kindsOf = async ({ id }: Payment) =>
  (await harness.deps.alerts.list()).filter(({ subject }) => subject === id).map(({ kind }) => kind)
const owed = async () => Number(await balanceIn(harness.deps, 'tenant', 'BRL'))

/** Something else has used the transaction's nonce, and banks have taken all of the payers' money back. */
async function takenBack(count: number) {
  const { charges, sent } = await sentTogether(count)
  await harness.anvil.dropTransaction({ hash: sent.hash })
  await harness.anvil.setAutomine(true)
  await act(harness, { from: harness.treasury, to: harness.newReceiver(), value: 1n, data: '0x' })
  await mine(FINALITY_BLOCKS)
  for (const { payment, endToEndId } of charges) {
    await harness.pixControl(`/pix/${endToEndId}/med`, {})
    await untilToldOf(harness, endToEndId, 2)
    await harness.runJobs()
    expect(await kindsOf(payment)).toContain('forced_return')
    expect(await harness.deps.payouts.findAll(payment)).toMatchObject([{ state: 'held', holdReason: 'unproven' }])
  }
  expect(new Set(await statuses(charges))).toEqual(new Set(['pending']))
  return { charges, sent }
}

describe('payouts of which nobody can prove that they were not paid, and whose payers’ money is taken back', () => {
  it('are cancelled once that is proven, or where an operator lets them go', { timeout: 60_000 }, async () => {
    const { charges, sent } = await takenBack(2)
    // Nobody is paid of what the bank has taken, whoever lets it go.
    expect(await runLedger(harness, 'release', charges[0]?.payment.id ?? '')).toBe(1)
    await harness.runJobs()
    expect(await statesOf(charges)).toEqual(['cancelled', 'held'])
    expect(await statuses(charges)).toEqual(['error', 'pending'])
    expect(await decide('retry', sent.id)).toBe(0)
    await harness.goOn(20)
    expect(await statesOf(charges)).toEqual(['cancelled', 'cancelled'])
    expect(await statuses(charges)).toEqual(['error', 'error'])
    expect(await balances(charges)).toEqual([0n, 0n])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('count as paid where an operator knows it, and the tenant owes it', { timeout: 60_000 }, async () => {
    const before = await owed()
    const { charges, sent } = await takenBack(1)
    expect((await owed()) - before).toBeCloseTo(54.2, 6)
    expect(await decide('resolve', sent.id, '--reason', 'it has paid')).toBe(0)
    expect(await statuses(charges)).toEqual(['success'])
    expect(await statesOf(charges)).toEqual(['confirmed'])
    expect((await owed()) - before).toBeCloseTo(54.2, 6)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('payouts that an operator’s cancellation holds', () => {
  it('have a refund taken off them: they are proven unpaid', { timeout: 60_000 }, async () => {
    const { charges, sent } = await sentTogether(2)
    expect(await decide('cancel', sent.id, '--reason', 'a wrong price')).toBe(0)
    await mine(FINALITY_BLOCKS)
    await harness.goOn(120)
    for (const { payment } of charges.slice(0, 1)) {
      expect(await harness.deps.payouts.findAll(payment)).toMatchObject([{ state: 'held', holdReason: 'cancelled' }])
      await orderRefund(harness, payment)
      await untilRefunded(harness, payment)
      expect(await harness.deps.payouts.findAll(payment)).toMatchObject([{ state: 'cancelled', withheld: '10' }])
    }
    expect(await decide('retry', sent.id)).toBe(0)
    await harness.goOn(20)
    expect(await statuses(charges)).toEqual(['error', 'success'])
    expect(await balances(charges)).toEqual([0n, 10_000_000n])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
