import { expect, it } from 'vitest'
import { wholePool } from '../../../../test/harness/evm-node-pool.js'
import { balanceIn } from '../../fixtures/books.js'
import { FINALITY_BLOCKS, startWalletPayments } from '../../fixtures/wallet-payments.js'

const { harness, paid, follow } = await startWalletPayments()

const booked = () => balanceIn(harness.deps, 'gas-payer:polygon', 'POL')
const told = async () => (await harness.deps.alerts.list()).map(({ kind }) => kind)

/** The gas payer has shared a split out hours ago, and blocks make that final only now; nodes show no receipt. */
async function finalThoughNotShown(): Promise<void> {
  await paid([60, 40])
  await harness.goOn(2 * 3600)
  await follow()
  await harness.anvil.mine({ blocks: FINALITY_BLOCKS + 5 })
  harness.pool.lagBlocks = 1_000
  harness.pool.isBehind = (methods) => methods.includes('eth_getTransactionReceipt')
  await follow()
}

it('gas is booked once a node shows the transaction, though the first look at it, hours after it was sent, did not', async () => {
  await finalThoughNotShown()
  expect(await told()).toEqual([])
  expect(await booked()).toBe('0')
  Object.assign(harness.pool, wholePool())
  await harness.goOn(60)
  await follow()
  expect(await booked()).not.toBe('0')
  expect(await told()).toEqual([])
})

it('gas that no node has shown for an hour of looks is given up, and told to an operator', async () => {
  await finalThoughNotShown()
  await harness.goOn(3_000)
  await follow()
  expect(await told()).not.toContain('gas_unknown')
  await harness.goOn(601)
  await follow()
  expect(await told()).toContain('gas_unknown')
})
