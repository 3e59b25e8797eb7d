import { describe, expect, it } from 'vitest'
import { freshAddress, startEvmHarness } from '../../test/harness/evm.js'
import { broadcast } from './broadcast.js'
import { readNextNonce, signTransaction } from './signer.js'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'

describe('the gas payer’s transactions', async () => {
  const harness = await startEvmHarness()

  it('signs the same operator transaction to the same bytes, so that a repeated step pays once', async () => {
    const transaction = {
      to: freshAddress(),
      data: '0x',
      value: 1n,
      chainId: 31337,
      nonce: await readNextNonce(harness.client, harness.operator.address),
      gas: 21_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 10n ** 9n,
    } as const
    const [first, second] = [
      await signTransaction(harness.operator, transaction),
      await signTransaction(harness.operator, transaction),
    ]
    expect(second).toEqual(first)
    await broadcast(harness.client, first.raw)
    await minedReceipt(harness.anvil, first.hash)
    expect(await broadcast(harness.client, second.raw)).toMatchObject({ kind: 'sent' })
    expect(await harness.client.getBalance({ address: transaction.to })).toBe(1n)
  })
})
