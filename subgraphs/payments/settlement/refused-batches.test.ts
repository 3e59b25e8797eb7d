import { describe, expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.js'
import { chargedPayment, paidPayment, payAndProcess, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { transactionsOf } from '../fixtures/rows.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import type { Payment } from '../store/payment.entity.js'

const FINALITY_BLOCKS = 100

const harness = await startSettlementHarness({ finalityBlocks: FINALITY_BLOCKS })
const { pool } = harness

/** Payments to one receiver each. */
const toNewReceiver = () => ({ splitPaymentConfig: [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }] })

/** Payouts that were told as paid, each in a block of its own. */
async function paidOut(count: number): Promise<Payment[]> {
  const payments: Payment[] = []
  for (let index = 0; index < count; index += 1) {
    const { payment, txid } = await chargedPayment(harness, toNewReceiver())
    await payAndProcess(harness, txid)
    payments.push(payment)
  }
  for (const payment of payments) expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  return payments
}

const areFinal = async (payments: readonly Payment[]) =>
  (await Promise.all(payments.map((payment) => transactionsOf(harness, payment)))).every(
    ([{ state, check_at: checkAt } = {}]) => state === 'confirmed' && checkAt === null,
  )

describe('payouts on a chain that was not final for long', () => {
  it.each([
    // What is asked at once is 50 calls at most; more where a node refuses that is halved.
    { batchMax: 50, payouts: 60 },
    { batchMax: 4, payouts: 12 },
  ])('become final at once where nodes refuse batches of more than $batchMax calls', async ({ batchMax, payouts }) => {
    const payments = await paidOut(payouts)
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    pool.batchMax = batchMax
    const { payment } = await paidPayment(harness, toNewReceiver())
    await harness.goOn(6)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    await harness.goOn(6)
    await harness.goOn(6)
    expect(await areFinal(payments)).toBe(true)
    pool.batchMax = Infinity
  })

  it('go on where nobody tells which of them are final', async () => {
    await paidOut(1)
    const finality = harness.deps.payoutChains.evm?.[0]?.finality
    if (!finality) throw new Error('the chain has no finality')
    const { read } = finality
    finality.read = () => Promise.reject(new AppError('confirm_rpc_unavailable'))
    await harness.advance(6)
    const { payment } = await paidPayment(harness, toNewReceiver())
    await harness.runJobs()
    finality.read = read
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
  })
})
