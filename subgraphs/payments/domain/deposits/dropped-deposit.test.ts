import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { startAddressHarness, units } from '../../fixtures/address-payments.js'
import { applyDeposits } from './apply-deposits.js'

const { harness, deps, opened } = await startAddressHarness()
/** Above all blocks of the chain. */
const BLOCK = 1_000_000_000n

it('what was in a dropped block before anybody had judged its sender is looked at once more, and again when it is back', async () => {
  const { payment, address } = await opened()
  const { tenantId, paymentId, chainName } = address
  const hash = `0x${randomBytes(32).toString('hex')}` as const
  const inBlock = { blockNumber: BLOCK, blockHash: hash, minedAt: harness.clock.now() }
  const deposit = {
    tenantId,
    paymentId,
    hash,
    logIndex: 0,
    sender: harness.newReceiver(),
    amount: units('5'),
    ...inBlock,
  }
  const comes = () =>
    deps.addresses.record(chainName, { scopes: [], from: undefined, upTo: { block: BLOCK, blockHash: hash } }, [
      deposit,
    ])
  const isDue = async (): Promise<boolean> => {
    const due = await deps.addresses.due(chainName, harness.clock.now(), { after: '', limit: 100 })
    return due.some((one) => one.paymentId === payment.id)
  }
  await comes()
  await deps.addresses.rewind(chainName, [], { block: BLOCK - 1n, blockHash: hash })
  expect(await isDue()).toBe(true)
  await applyDeposits(deps, address)
  expect(await isDue()).toBe(false)
  await comes()
  expect(await isDue()).toBe(true)
})
