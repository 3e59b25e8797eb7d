import { keccak256, type Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { startEvmPool } from '../../chaos/nodes/evm-pool.js'
import { atEnd } from '../../test/harness/at-end.js'
import { freshAddress, mine, startEvmHarness } from '../../test/harness/evm.js'
import { startRpcProxy } from '../../test/harness/rpc-proxy.js'
import { broadcast } from './broadcast.js'
import { readNewestHeader } from './block-headers.js'
import { createEvmClient, type EvmClient } from './client.js'
import { readBalance } from './distribute.js'
import { isKnown, readConfirmation } from './confirm.js'
import { readNextNonces } from './free-nonce.js'
import { readNextNonce } from './signer.js'

const harness = await startEvmHarness()
const { anvil, chain, payer } = harness
const pool = await startEvmPool({ rpcUrl: chain.rpcUrl, nodes: 2 })
atEnd(() => pool.close())
const proxies = await Promise.all(pool.nodes.map(({ url }) => startRpcProxy(url)))
await anvil.mine({ blocks: 10 })

let nowMs = 0
afterEach(() => {
  for (const { faults } of pool.nodes) faults.clear()
  for (const proxy of proxies) proxy.onCall = () => 'pass'
})

/** A client of both nodes that knows nothing of them yet. */
function newClient(urls: readonly string[] = proxies.map(({ url }) => url)): EvmClient {
  const [rpcUrl = '', ...rpcUrls] = urls
  return createEvmClient({ ...chain, rpcUrl, rpcUrls }, { timeoutMs: 2_000, nowMs: () => nowMs })
}

function begin(index: number, kind: string, details: Record<string, string | number> = {}): void {
  pool.nodes[index]?.faults.begin({ kind, details })
}

const callsOf = (index: number) => proxies[index]?.calls.length ?? 0

async function signed(): Promise<Hex> {
  const nonce = await anvil.getTransactionCount({ address: payer.address })
  const fees = { gas: 21_000n, maxFeePerGas: 100n * 10n ** 9n, maxPriorityFeePerGas: 1n }
  return payer.signTransaction({ ...fees, to: freshAddress(), value: 1n, chainId: chain.chainId, nonce })
}

describe('a chain with two nodes', () => {
  it.each([0, 1])('calls nothing refused that one of them may have sent: %i', async (doubtful) => {
    const answerOf = (message: string) => ({ answer: { error: { code: -32000, message } } })
    const raw = await signed()
    for (const [index, proxy] of proxies.entries()) {
      const answer = answerOf(index === doubtful ? 'Internal error' : 'gas price below minimum')
      proxy.onCall = ({ method }) => (method === 'eth_sendRawTransaction' ? answer : 'pass')
    }
    expect(await broadcast(newClient(), raw)).toEqual({ kind: 'unknown', reason: 'Internal error' })
  })

  it.each([
    ['limits its calls', 'limit', {}],
    ['stands behind a page of errors', 'error', { status: 502 }],
    ['cuts its connections', 'reset', {}],
  ])('is read from the other where one %s, which then rests', async (_what, kind, details) => {
    const client = newClient()
    begin(0, kind, details)
    expect(await client.getBlockNumber()).toBe(await anvil.getBlockNumber())
    const before = callsOf(0)
    expect(await client.getBlockNumber()).toBe(await anvil.getBlockNumber())
    expect(callsOf(0)).toBe(before)
    for (const { faults } of pool.nodes) faults.clear()
    nowMs += 60_000
    await client.getBlockNumber()
    expect(callsOf(0)).toBeGreaterThan(before)
  })

  it.each([
    ['has not the contract yet', '0x'],
    ['answers what is no word of a contract', '0x12'],
  ])('is read from the other where one %s', async (_what, result) => {
    const [first] = proxies
    if (!first) throw new Error('no nodes')
    const held = await readBalance(newClient(), harness.usdt, payer.address)
    expect(held).toBeGreaterThan(0n)
    first.onCall = ({ method }) => (method === 'eth_call' ? { answer: { result } } : 'pass')
    expect(await readBalance(newClient(), harness.usdt, payer.address)).toBe(held)
  })

  it.each([
    ['shows no contract', '0x', `no code at ${harness.usdt.address.toLowerCase()}, or the node is behind`],
    ['answers what is no word of a contract', '0x12', 'an answer that cannot be read'],
  ])(
    'is not read where its only node %s, which may be another one behind its address the next time',
    async (_what, result, details) => {
      const [proxy] = proxies
      if (!proxy) throw new Error('there is no node')
      const read = () => readBalance(newClient([proxy.url]), harness.usdt, payer.address)
      let answers = 0
      proxy.onCall = ({ method }) => (method === 'eth_call' && (answers += 1) === 1 ? { answer: { result } } : 'pass')
      expect(await read()).toBeGreaterThan(0n)
      proxy.onCall = ({ method }) => (method === 'eth_call' ? { answer: { result } } : 'pass')
      await expect(read()).rejects.toMatchObject({ code: 'confirm_rpc_unavailable', details })
    },
  )

  it('is not read where its only node answers nothing to what is a number', async () => {
    const [proxy] = proxies
    if (!proxy) throw new Error('there is no node')
    proxy.onCall = ({ method }) => (method === 'eth_getTransactionCount' ? { answer: { result: null } } : 'pass')
    await expect(readNextNonces(newClient([proxy.url]), payer.address)).rejects.toMatchObject({
      code: 'confirm_rpc_unavailable',
    })
  })

  it('is asked again where all of them rest', async () => {
    const client = newClient()
    for (const index of [0, 1]) begin(index, 'limit')
    await expect(client.getBlockNumber()).rejects.toThrow()
    for (const { faults } of pool.nodes) faults.clear()
    expect(await client.getBlockNumber()).toBe(await anvil.getBlockNumber())
  })

  it('is never asked by a node of another chain, nor is it handed anything', async () => {
    const [foreign, own] = proxies
    if (!foreign || !own) throw new Error('no nodes')
    foreign.onCall = ({ method }) => (method === 'eth_chainId' ? { answer: { result: '0x1' } } : 'pass')
    const client = newClient()
    const before = callsOf(0)
    const raw = await signed()
    expect(await broadcast(client, raw)).toEqual({ kind: 'sent' })
    expect(await isKnown(client, keccak256(raw))).toBe(true)
    expect(callsOf(0)).toBe(before)
    foreign.onCall = () => 'pass'
    nowMs += 24 * 3_600_000
    await client.getBlockNumber()
    expect(callsOf(0)).toBeGreaterThan(before)
  })

  it('takes a transaction at both nodes, so that one which loses it does no harm', async () => {
    begin(0, 'swallow')
    const raw = await signed()
    expect(await broadcast(newClient(), raw)).toEqual({ kind: 'sent' })
    await expect.poll(() => isKnown(newClient([pool.nodes[1]?.url ?? '']), keccak256(raw))).toBe(true)
    // What they have already is no refusal.
    expect(await broadcast(newClient(), raw)).toMatchObject({ kind: 'sent' })
  })

  it('has a transaction that either node has', async () => {
    const raw = await signed()
    await mine(harness, raw)
    begin(0, 'forget')
    const look = await readConfirmation(newClient(), { ...chain, confirmations: 1 }, keccak256(raw))
    expect(look.state).toBe('confirmed')
  })

  it('says "no" only by nodes that are as far as the chain is known to be', async () => {
    const client = newClient()
    await readNewestHeader(client)
    for (const index of [0, 1]) begin(index, 'lag', { blocks: 3 })
    await expect(isKnown(client, keccak256('0x12'))).rejects.toMatchObject({ code: 'confirm_rpc_unavailable' })
    pool.nodes[1]?.faults.clear()
    expect(await isKnown(client, keccak256('0x12'))).toBe(false)
  })

  it('says "no" again some minutes after a node has once claimed a block that does not exist', async () => {
    const [liar] = proxies
    if (!liar) throw new Error('no nodes')
    const client = newClient()
    liar.onCall = ({ method }) => (method === 'eth_blockNumber' ? { answer: { result: '0xffffffff' } } : 'pass')
    await isKnown(client, keccak256('0x12'))
    liar.onCall = () => 'pass'
    await expect(isKnown(client, keccak256('0x12'))).rejects.toMatchObject({ code: 'confirm_rpc_unavailable' })
    nowMs += 11 * 60_000
    await client.getBlockNumber()
    expect(await isKnown(client, keccak256('0x12'))).toBe(false)
  })

  it('asks two nodes before it says "no"', async () => {
    const client = newClient()
    const before = [callsOf(0), callsOf(1)]
    expect(await isKnown(client, keccak256('0x12'))).toBe(false)
    expect([callsOf(0) > (before[0] ?? 0), callsOf(1) > (before[1] ?? 0)]).toEqual([true, true])
  })

  it('takes the "no" of one node where the other gives no answers, without waiting for that each time', async () => {
    const client = newClient()
    begin(1, 'limit')
    expect(await isKnown(client, keccak256('0x12'))).toBe(false)
    const before = callsOf(1)
    expect(await isKnown(client, keccak256('0x12'))).toBe(false)
    expect(callsOf(1)).toBe(before)
  })

  it('counts the nonces of the node that is further', async () => {
    await mine(harness, await signed())
    const count = await anvil.getTransactionCount({ address: payer.address })
    for (const behind of [0, 1]) {
      begin(behind, 'lag', { blocks: 1 })
      expect(await readNextNonce(newClient(), payer.address)).toBe(count)
      for (const { faults } of pool.nodes) faults.clear()
    }
  })
})
