import { erc20Abi, type Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { act, freshAddress, splitOf, startEvmHarness } from '../../test/harness/evm.js'
import type { EvmAsset } from '../chain.js'
import { nextSplitStep, type SplitStep } from './distribute.js'
import { paymentReference, splitAddress, type Split } from './split.js'
import { transferCall } from './transfer-call.js'

const harness = await startEvmHarness()
const { chain, client, payer, usdt, native } = harness
const DUE = 100n
/** What is too little for a transaction. */
const LEAST = 50n

let payments = 0
const newSplit = (receivers: readonly Address[]): Split =>
  splitOf(paymentReference(`dust-${(payments += 1)}`), receivers, ['50', '50'])

/** Anybody sends an amount to a split's address. */
async function send(split: Split, asset: EvmAsset, amount: bigint): Promise<void> {
  const call = transferCall({ asset, to: splitAddress(chain.split, split), amount })
  expect((await act(harness, { from: payer.address, ...call })).status).toBe('success')
}

/** Takes steps, as the gas payer does, until there is none to take. */
async function settle(split: Split, asset: EvmAsset): Promise<SplitStep['kind'][]> {
  const kinds: SplitStep['kind'][] = []
  for (let round = 0; round < 5; round += 1) {
    const step = await nextSplitStep(client, chain.split, split, asset, {
      due: DUE,
      sender: payer.address,
      isWorth: (sum) => sum >= LEAST,
    })
    kinds.push(step.kind)
    if (!('data' in step)) return kinds
    await act(harness, { from: payer.address, to: step.to, data: step.data, gas: 3_000_000n })
  }
  return kinds
}

const holdingOf = (holder: Address): Promise<bigint> =>
  client.readContract({ address: usdt.address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })

describe('what comes to a split’s address and is too little for a transaction', () => {
  it('is left there once all that is due has been shared out, and goes along with more', async () => {
    const receivers = [freshAddress(), freshAddress()] as const
    const split = newSplit(receivers)
    await send(split, usdt, DUE)
    expect(await settle(split, usdt)).toEqual(['deploy', 'distribute', 'done'])
    for (let unit = 0; unit < 3; unit += 1) {
      await send(split, usdt, 1n)
      expect(await settle(split, usdt)).toEqual(['done'])
    }
    await send(split, usdt, LEAST)
    expect(await settle(split, usdt)).toEqual(['distribute', 'done'])
    expect(await Promise.all(receivers.map(holdingOf))).toEqual([77n, 76n])
  })

  it('is shared out where it is what lacks of what is due, and not before', async () => {
    const split = newSplit([freshAddress(), freshAddress()])
    await send(split, usdt, DUE - 20n)
    expect(await settle(split, usdt)).toEqual(['deploy', 'distribute', 'waiting'])
    await send(split, usdt, 19n)
    expect(await settle(split, usdt)).toEqual(['waiting'])
    await send(split, usdt, 1n)
    expect(await settle(split, usdt)).toEqual(['distribute', 'done'])
  })

  it('is left there while a receiver cannot be paid, whose share does not reach him', async () => {
    // The token contract refuses native coins.
    const split = newSplit([freshAddress(), usdt.address])
    await send(split, native, DUE)
    expect(await settle(split, native)).toEqual(['deploy', 'distribute', 'owed'])
    await send(split, native, 1n)
    expect(await settle(split, native)).toEqual(['owed'])
  })
})
