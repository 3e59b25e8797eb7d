import { keccak256, type Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { askTogether } from './batch.js'
import { buildTransfer } from './build-transfer.js'
import { readFinality } from './canonical.js'
import { checkEvmChain } from './check-chain.js'
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
  const newClient = () => createEvmClient({ ...harness.chain, rpcUrl: pool.url })
  const refusesTag = (code: number, message: string) => {
    pool.refuses = ({ params }) => params[0] === 'finalized' && { code, message }
  }
  afterEach(() => Object.assign(pool, wholePool(), { refuses: () => false, batchMax: Infinity, refusedBatches: 0 }))

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

  it('is final by the tag of the node, or by the count that the deployment gives', async () => {
    expect((await readFinality(newClient(), {}, [])).final).toBe(0n)
    await harness.anvil.mine({ blocks: 200 })
    const head = await harness.anvil.getBlockNumber()
    // anvil: twice the slots of an epoch, which are 32.
    expect((await readFinality(newClient(), {}, [])).final).toBe(head - 64n)
    refusesTag(-32603, 'internal error')
    expect((await readFinality(newClient(), { finalityBlocks: 10 }, [])).final).toBe(head - 9n)
  })

  it.each([
    [-32601, 'the method eth_getBlockByNumber does not exist'],
    [-32602, 'invalid argument 0'],
    [-32602, 'invalid argument 0: hex string without 0x prefix'],
    [-32000, "'finalized' tag not supported on pre-merge network"],
    [-32000, 'strconv.ParseUint: parsing "finalized": invalid syntax'],
    [-32603, 'unsupported block tag: finalized'],
  ])('is final by many blocks where the node does not know the tag: %i %s', async (code, message) => {
    refusesTag(code, message)
    const head = await harness.anvil.getBlockNumber()
    expect((await readFinality(newClient(), {}, [])).final).toBe(head - 127n)
  })

  it.each([
    [-32603, 'internal error'],
    [-32005, 'too many requests'],
    [-32000, 'finalized block not found'],
    [-39001, 'Unknown block'],
    [-32000, 'block "finalized" not available (head block: 21459236)'],
    [-32602, 'finalized block not found'],
  ])('is not final where the node does not tell which block is: %i %s', async (code, message) => {
    refusesTag(code, message)
    await expect(readFinality(newClient(), {}, [])).rejects.toMatchObject({ code: 'confirm_rpc_unavailable' })
  })

  it('never comes to be final where the node does not tell and the settings do not say: the daily comparison says so', async () => {
    refusesTag(-32000, 'finalized block not found')
    const { tokens, chainId } = harness.chain
    expect(await checkEvmChain(newClient(), { tokens, chainId })).toEqual([
      'its nodes do not tell which block is final, and finalityBlocks is not set',
    ])
    expect(await checkEvmChain(newClient(), { tokens, chainId, finalityBlocks: 64 })).toEqual([])
    refusesTag(-32602, 'invalid argument 0')
    expect(await checkEvmChain(newClient(), { tokens, chainId })).toEqual([])
  })

  it('is not final where the node has no final block', async () => {
    pool.change = (method, result) => (method === 'eth_getBlockByNumber' ? null : result)
    await expect(readFinality(newClient(), {}, [])).rejects.toMatchObject({ code: 'confirm_rpc_unavailable' })
  })

  it('is never final by many blocks where the nodes have shown a final block before', async () => {
    const known = newClient()
    await readFinality(known, {}, [])
    refusesTag(-32602, 'invalid argument 0')
    await expect(readFinality(known, {}, [])).rejects.toMatchObject({ code: 'confirm_rpc_unavailable' })
  })

  it.each([
    [100, 'geth', { id: 0, error: { code: -32600, message: 'batch too large' } }],
    [20, 'geth', [{ id: 0, error: { code: -32600, message: 'batch too large' } }]],
    [
      20,
      'Erigon',
      [{ id: 0, error: { code: -32000, message: 'batch limit 20 exceeded (can increase by --rpc.batch.limit)' } }],
    ],
    [49, 'jsonrpsee', { id: null, error: { code: -32010, message: 'The batch request was too large' } }],
    [20, 'Besu', { id: null, error: { code: -32005, message: 'Number of requests exceeds max batch size' } }],
    [3, 'Nethermind', { id: null, error: { code: -32005, message: 'Batch size limit exceeded' } }],
  ])(
    'is read at many heights from a node that takes %i calls in a batch, by the words of %s',
    async (batchMax, _, tooLarge) => {
      const one = newClient()
      Object.assign(pool, { batchMax, tooLarge })
      const numbers = Array.from({ length: 150 }, (_of, index) => BigInt(index))
      const look = async () => {
        const { head, final, hashAt } = await readFinality(one, {}, numbers)
        expect(final).toBe(head - 64n)
        for (const blockNumber of [0n, 77n, 149n]) {
          expect(hashAt(blockNumber)).toBe((await harness.anvil.getBlock({ blockNumber })).hash)
        }
        return pool.refusedBatches
      }
      // What it takes is learned once.
      const refused = await look()
      expect(await look()).toBe(refused)
    },
  )

  it('is final as far as every node says that tells of a part of the heights', async () => {
    pool.lagBlocks = 5
    let requests = 0
    pool.isBehind = () => (requests += 1) === 2
    const head = await harness.anvil.getBlockNumber()
    const numbers = Array.from({ length: 100 }, (_, index) => head - BigInt(index))
    const view = await readFinality(newClient(), {}, numbers)
    expect(view.head).toBe(head - 5n)
    expect(view.hashAt(head)).toBeUndefined()
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
