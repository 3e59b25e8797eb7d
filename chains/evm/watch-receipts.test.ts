import { keccak256, type Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { startEvmNodePool, wholePool } from '../../test/harness/evm-node-pool.js'
import { freshAddress, startEvmHarness } from '../../test/harness/evm.js'
import { startRpcProxy } from '../../test/harness/rpc-proxy.js'
import { createEvmClient } from './client.js'
import { lookByBlock } from './watch-receipts.js'

const harness = await startEvmHarness()
const pool = await startEvmNodePool(harness.chain.rpcUrl)
const proxy = await startRpcProxy(pool.url)
const client = createEvmClient({ ...harness.chain, rpcUrl: proxy.url })
await harness.anvil.setAutomine(false)
await harness.anvil.setIntervalMining({ interval: 0 })

afterEach(() => {
  Object.assign(pool, wholePool())
  proxy.onCall = () => 'pass'
})

const watching = (confirmations = 1, nowMs = () => 0) => {
  const look = lookByBlock(client, { confirmations }, nowMs)
  return async (hashes: readonly string[]) => (await look(hashes)).ended
}
const mine = (blocks = 1) => harness.anvil.mine({ blocks })

let nonce = await harness.anvil.getTransactionCount({ address: harness.payer.address })

/** Signs transfers and has the node take them; no block has them yet. */
async function sent(count: number): Promise<{ raws: Hex[]; hashes: Hex[] }> {
  const to = freshAddress()
  const fees = { gas: 21_000n, maxFeePerGas: 100n * 10n ** 9n, maxPriorityFeePerGas: 1n }
  const sign = () =>
    harness.payer.signTransaction({ ...fees, to, value: 1n, chainId: harness.chain.chainId, nonce: nonce++ })
  const raws = await Promise.all(Array.from({ length: count }, sign))
  const calls = raws.map((raw, id) => ({ jsonrpc: '2.0', id, method: 'eth_sendRawTransaction', params: [raw] }))
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(harness.chain.rpcUrl, { method: 'POST', headers, body: JSON.stringify(calls) })
  expect(await answer.text()).not.toContain('error')
  return { raws, hashes: raws.map((raw) => keccak256(raw)) }
}

/** What was asked while something was done. */
async function askedIn(work: () => Promise<unknown>): Promise<string[]> {
  const before = proxy.calls.length
  await work()
  return proxy.calls.slice(before).map(({ method }) => method)
}

describe('a watch over a chain', () => {
  it.each([1, 200])('asks as much for a block, whether %s payers wait or one', async (payers) => {
    const look = watching()
    const { hashes } = await sent(payers)
    // Once, what an older block may have: nobody's here.
    for (let asked = 0; asked < payers; asked += 99) expect((await look(hashes)).size).toBe(0)
    expect(await askedIn(() => look(hashes))).toEqual(['eth_getBlockByNumber'])
    await mine()
    const ended = look(hashes)
    expect(await askedIn(() => ended)).toEqual(['eth_getBlockByNumber', 'eth_getBlockReceipts'])
    expect((await ended).size).toBe(payers)
    expect(await askedIn(() => look(hashes))).toEqual(['eth_getBlockByNumber'])
  })

  it('has an end only as many blocks later as the chain asks for, and knows what was reverted', async () => {
    const look = watching(3)
    const { hashes } = await sent(1)
    await look(hashes)
    await mine(2)
    expect((await look(hashes)).size).toBe(0)
    await mine()
    expect([...(await look(hashes)).values()]).toMatchObject([{ state: 'confirmed', receipt: { status: 'success' } }])
  })

  it('finds what an older block has, and what was mined between two looks', async () => {
    const early = await sent(1)
    await mine(3)
    const look = watching()
    expect([...(await look(early.hashes)).keys()]).toEqual(early.hashes)
    const late = await sent(1)
    await look(late.hashes)
    await mine(10)
    expect([...(await look(late.hashes)).keys()]).toEqual(late.hashes)
  })

  it('takes back what a reorganisation drops, and finds it on the branch that stays', async () => {
    const look = watching(4)
    await mine(5)
    const { raws, hashes } = await sent(1)
    await look(hashes)
    await mine(2)
    expect((await look(hashes)).size).toBe(0)
    await harness.anvil.request({ method: 'anvil_reorg', params: [2, []] } as never)
    await mine(3)
    expect((await look(hashes)).size).toBe(0)
    await harness.anvil.sendRawTransaction({ serializedTransaction: raws[0] ?? '0x' })
    await mine(3)
    expect((await look(hashes)).size).toBe(0)
    await mine()
    expect((await look(hashes)).size).toBe(1)
  })

  it('reads an older block once, however many looks and blocks follow', async () => {
    const first = await sent(1)
    await mine()
    const second = await sent(1)
    await mine(3)
    const look = watching()
    const hashes = [...first.hashes, ...second.hashes]
    expect((await look(hashes)).size).toBe(2)
    for (let blocks = 0; blocks < 3; blocks += 1) {
      const ended = look(hashes)
      expect(await askedIn(() => ended)).toEqual(['eth_getBlockByNumber'])
      expect((await ended).size).toBe(2)
      await mine()
    }
  })

  it('takes back what older blocks had where a reorganisation is deeper than its watch, and finds it on the branch that stays', async () => {
    const first = await sent(1)
    await mine()
    const second = await sent(1)
    await mine(3)
    const look = watching(5)
    const hashes = [...first.hashes, ...second.hashes]
    expect((await look(hashes)).size).toBe(0)
    // Both are in the second of the new blocks then: at a height that was read on the branch that is left.
    const again = [...first.raws, ...second.raws].map((raw) => [raw, 1])
    await harness.anvil.request({ method: 'anvil_reorg', params: [4, again] } as never)
    expect((await look(hashes)).size).toBe(0)
    await mine()
    expect((await look(hashes)).size).toBe(0)
    await mine()
    expect((await look(hashes)).size).toBe(2)
  })

  it('does not take the word of a node that does not show its branch for what an older block has', async () => {
    const { hashes } = await sent(1)
    await mine(3)
    const look = watching()
    pool.lagBlocks = 1
    pool.isBehind = (methods) => methods.length > 1 && !methods.includes('eth_getTransactionReceipt')
    expect((await look(hashes)).size).toBe(0)
    pool.isBehind = () => false
    expect((await look(hashes)).size).toBe(1)
  })

  it('does not take the word of a node that is behind for "no block has it"', async () => {
    const { hashes } = await sent(1)
    await mine(2)
    const look = watching()
    pool.lagBlocks = 2
    pool.isBehind = (methods) => methods.includes('eth_getTransactionReceipt')
    expect((await look(hashes)).size).toBe(0)
    pool.isBehind = () => false
    expect((await look(hashes)).size).toBe(1)
  })

  it('reads receipts by their hashes where the nodes cannot read those of a block, and tries again after a day', async () => {
    let nowMs = 0
    const look = watching(1, () => nowMs)
    proxy.onCall = ({ method }) =>
      method === 'eth_getBlockReceipts' ? { answer: { error: { code: -32601, message: 'Method not found' } } } : 'pass'
    for (const expected of ['eth_getTransactionReceipt', 'eth_getTransactionReceipt', 'eth_getBlockReceipts']) {
      if (expected === 'eth_getBlockReceipts') {
        proxy.onCall = () => 'pass'
        nowMs += 24 * 3_600_000
      }
      const { hashes } = await sent(2)
      await look(hashes)
      await mine()
      const ended = look(hashes)
      expect((await askedIn(() => ended)).at(-1)).toBe(expected)
      expect((await ended).size).toBe(2)
    }
  })
})
