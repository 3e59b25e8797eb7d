import { describe, expect, it } from 'vitest'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { chargedPayment, payCharge, presentOf } from '../fixtures/pix-payments.js'
import { orderRefund, untilRefunded } from '../fixtures/refunds.js'

const harness = await startSettlementHarness({ batches: true })

/** A payment to two receivers whose money has come, and whose jobs have not run. 54.2 BRL are 10 USDT. */
async function paidCharge() {
  const receivers = [harness.newReceiver(), harness.newReceiver()]
  const splitPaymentConfig = receivers.map((receiverWallet) => ({ receiverWallet, receiverPercent: 50 }))
  const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig, amountFrom: '54.2' })
  await payCharge(harness, txid)
  return { payment, receivers }
}

describe('a refund that comes while a batch is being signed', () => {
  it('keeps the batch that was signed for the former amounts from being sent, and receivers get what is left', async () => {
    const [evm] = harness.deps.payoutChains.evm ?? []
    if (!evm) throw new Error('there is no treasury')
    const { payment, receivers } = await paidCharge()
    let isFirst = true
    const racing: typeof evm = {
      ...evm,
      prepare: async (chain, wanted) => {
        const preparation = await evm.prepare(chain, wanted)
        if (isFirst && preparation.prepared.length > 0) {
          isFirst = false
          await orderRefund(harness, payment, { amount: '27.1' })
        }
        return preparation
      },
    }
    harness.deps.payoutChains.evm = [racing]
    await harness.runJobs()
    harness.deps.payoutChains.evm = [evm]
    expect(isFirst).toBe(false)
    await untilRefunded(harness, payment)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await Promise.all(receivers.map((receiver) => harness.balanceOf(receiver)))).toEqual([
      2_500_000n,
      2_500_000n,
    ])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
