import { expect, it } from 'vitest'
import { startEvmNodePool } from '../../test/harness/evm-node-pool.js'
import { startEvmHarness } from '../../test/harness/evm.js'
import { createEvmClient } from './client.js'
import { readBlockTimes } from './read-deposits.js'

const { chain, anvil } = await startEvmHarness()
const pool = await startEvmNodePool(chain.rpcUrl)
const client = createEvmClient({ ...chain, rpcUrl: pool.url })

it('reads the times of more blocks than a node takes calls in a batch', async () => {
  pool.batchMax = 100
  await anvil.mine({ blocks: 250 })
  const head = await anvil.getBlockNumber()
  const blocks = Array.from({ length: 250 }, (_, index) => head - BigInt(index))
  const times = await readBlockTimes(client, [...blocks, head])
  expect([...times.keys()]).toEqual(blocks)
  for (const blockNumber of [head, head - 249n]) {
    const { timestamp } = await anvil.getBlock({ blockNumber })
    expect(times.get(blockNumber)).toEqual(new Date(Number(timestamp) * 1_000))
  }
})

it('asks nothing of a node where there are no blocks', async () => {
  expect((await readBlockTimes(client, [])).size).toBe(0)
})
