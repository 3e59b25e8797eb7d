import { encodeFunctionData, erc20Abi, hexToNumber, type Hex } from 'viem'
import { expect, it } from 'vitest'
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
