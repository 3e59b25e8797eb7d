import { encodeFunctionData, erc20Abi, hexToNumber, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { startEvmNodePool } from '../../test/harness/evm-node-pool.js'
import { act, freshAddress, startEvmHarness } from '../../test/harness/evm.js'
import { createEvmClient } from './client.js'
import { findSpent } from './find-spent.js'

const { chain, anvil, payer, usdt } = await startEvmHarness()
const pool = await startEvmNodePool(chain.rpcUrl)
const client = createEvmClient({ ...chain, rpcUrl: pool.url })

async function send(): Promise<Hex> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [freshAddress(), 1n] })
  return (await act({ anvil }, { from: payer.address, to: usdt.address, data })).transactionHash
}

it('finds all that a wallet has sent at a node that looks through few blocks at once', async () => {
  pool.refuses = ({ method, params: [filter] }) => {
    if (method !== 'eth_getLogs') return false
    const { fromBlock, toBlock } = filter as Record<'fromBlock' | 'toBlock', Hex>
    return hexToNumber(toBlock) - hexToNumber(fromBlock) + 1 > 4
  }
  const nonce = await anvil.getTransactionCount({ address: payer.address })
  const built = { from: payer.address, nonce, token: usdt.address, builtAt: new Date() }
  const first = await send()
  await anvil.mine({ blocks: 10 })
  const second = await send()
  const { hashes } = await findSpent(client, { confirmations: 1, finalityBlocks: 1 }, built, undefined)
  expect(hashes).toEqual([first, second])
})

describe('a wallet that pays in coin and sends more than one look takes', () => {
  const NONCES_MAX = 16
  const sendCoins = async (count: number): Promise<Hex[]> => {
    const sent: Hex[] = []
    for (let one = 0; one < count; one += 1)
      sent.push((await act({ anvil }, { from: payer.address, to: freshAddress(), value: 1n })).transactionHash)
    return sent
  }
  const built = async () => {
    const nonce = await anvil.getTransactionCount({ address: payer.address })
    return { from: payer.address, nonce, token: undefined, builtAt: new Date() }
  }

  it('is read on from where the look before has ended', async () => {
    const spending = await built()
    const look = (place?: string) => findSpent(client, { confirmations: 1, finalityBlocks: 1 }, spending, place)
    const sent = await sendCoins(NONCES_MAX + 4)
    const first = await look()
    expect(first.hashes).toEqual(sent.slice(0, NONCES_MAX))
    const second = await look(first.place)
    expect(second.hashes).toEqual(sent.slice(NONCES_MAX))
    const [last] = await sendCoins(1)
    expect((await look(second.place)).hashes).toEqual([last])
  })

  it('is read again as far as its blocks are not final', async () => {
    const finalityBlocks = 10
    const spending = await built()
    const look = (place?: string) => findSpent(client, { confirmations: 1, finalityBlocks }, spending, place)
    const sent = await sendCoins(NONCES_MAX + 4)
    const { place } = await look()
    const finalCount = sent.length - (finalityBlocks - 1)
    expect((await look(place)).hashes).toEqual(sent.slice(finalCount))
  })
})
