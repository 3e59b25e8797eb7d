import { keccak256, type Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { askTogether } from './batch.js'
import { buildTransfer } from './build-transfer.js'
import { readFinality } from './canonical.js'
import { createEvmClient } from './client.js'
import { readConfirmation } from './confirm.js'
import { startEvmNodePool, wholePool } from '../../test/harness/evm-node-pool.js'
import { freshAddress, mine, startEvmHarness } from '../../test/harness/evm.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'

const STRICT = { confirmations: 3 }

describe('a receipt, before two nodes behind one address', async () => {
  const harness = await startEvmHarness()
  const pool = await startEvmNodePool(harness.chain.rpcUrl)
  const client = createEvmClient({ ...harness.chain, rpcUrl: pool.url })
  afterEach(() => Object.assign(pool, wholePool()))

  const mined = async (): Promise<Hex> => {
    const { chain, payer, native } = harness
    const from = payer.address
    const request = await buildTransfer({ chain, client: harness.client, from, to: freshAddress(), asset: native, symbol: 'POL', amount: 5n }) // prettier-ignore
    const raw = await signRequest(payer, request)
    await mine(harness, raw)
    return keccak256(raw)
  }
  const look = async (hash: Hex) => (await readConfirmation(client, { ...harness.chain, ...STRICT }, hash)).state

  it('of a branch that the chain has left does not count, however old its height is', async () => {
    const hash = await mined()
    const receipt = await harness.anvil.request({ method: 'eth_getTransactionReceipt', params: [hash] } as never)
    await harness.anvil.request({ method: 'anvil_reorg', params: [1, []] } as never)
    await harness.anvil.mine({ blocks: 5 })
    pool.change = (method, result) => (method === 'eth_getTransactionReceipt' ? receipt : result)
    expect(await look(hash)).toBe('pending')
  })

  it('counts as old as the node knows that has its block, not as another one counts', async () => {
    const hash = await mined()
    await harness.anvil.mine({ blocks: 2 })
    pool.lagBlocks = 1
    pool.isBehind = (methods) => methods.includes('eth_getBlockByNumber')
    expect(await look(hash)).toBe('confirming')
    pool.lagBlocks = 3
    expect(await look(hash)).toBe('confirming')
    pool.isBehind = () => false
    expect(await look(hash)).toBe('confirmed')
  })

  it('is final by the tag of the node, by the count that the deployment gives, or by many blocks', async () => {
    await harness.anvil.mine({ blocks: 200 })
    const head = await harness.anvil.getBlockNumber()
    // anvil: twice the slots of an epoch, which are 32.
    expect((await readFinality(client, {}, [])).final).toBe(head - 64n)
    expect((await readFinality(client, { finalityBlocks: 10 }, [])).final).toBe(head - 9n)
    // A node without the tag.
    pool.change = (method, result) => (method === 'eth_getBlockByNumber' ? null : result)
    expect((await readFinality(client, {}, [])).final).toBe(head - 127n)
  })

  it('is asked for by the ids of calls: what is missing or foreign is no answer', async () => {
    const calls = [
      { method: 'eth_blockNumber', params: [] },
      { method: 'eth_chainId', params: [] },
    ]
    expect(await askTogether(client, calls)).toMatchObject([{}, { result: '0x7a69' }])
    pool.dropsId = 0
    await expect(askTogether(client, calls)).rejects.toMatchObject({ code: 'confirm_rpc_unavailable' })
    pool.dropsId = undefined
  })
})
