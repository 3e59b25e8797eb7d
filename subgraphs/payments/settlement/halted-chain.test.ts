import { parseTransaction, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { paidPayment, untilEnded } from '../fixtures/pix-payments.js'
import { transactionsOf } from '../fixtures/rows.js'

const harness = await startSettlementHarness()

it('raises the fees of what waits for a chain that stands still up to a bound, and again where the chain comes back dearer', async () => {
  await harness.anvil.setAutomine(false)
  const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
  const { payment } = await paidPayment(harness, { splitPaymentConfig })
  const versions = () => transactionsOf(harness, payment)
  for (let minute = 0; minute < 15; minute += 1) await harness.goOn(61)
  const atBound = await versions()
  await harness.goOn(61)
  expect(await versions()).toHaveLength(atBound.length)
  const { maxFeePerGas = 0n } = parseTransaction(atBound.at(-1)?.['raw'] as Hex)
  await harness.anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas * 2n })
  await harness.anvil.mine({ blocks: 1 })
  await harness.goOn(61)
  expect(await versions()).toHaveLength(atBound.length + 1)
  await harness.anvil.mine({ blocks: 1 })
  await harness.anvil.setAutomine(true)
  expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
})
