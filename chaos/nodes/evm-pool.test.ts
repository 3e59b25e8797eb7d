import { createPublicClient, http, keccak256, parseEther, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startAnvil, type Anvil } from '../../sandbox/anvil/anvil.js'
import { createAnvilClient, type AnvilClient } from '../../sandbox/anvil/test-client.js'
import { planBranch, type DroppedTransaction } from './branch-plan.js'
import { startEvmPool, type EvmPool } from './evm-pool.js'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'

const log = pino({ level: 'silent' })
const ALICE = privateKeyToAccount(generatePrivateKey())
const BOB = privateKeyToAccount(generatePrivateKey())
const SHOP = privateKeyToAccount(generatePrivateKey()).address

let anvil: Anvil
let chain: AnvilClient
let pool: EvmPool

beforeAll(async () => {
  anvil = await startAnvil({ log })
  chain = createAnvilClient(anvil.rpcUrl)
})
afterAll(() => anvil.stop())

beforeEach(async () => {
  for (const { address } of [ALICE, BOB]) await chain.setBalance({ address, value: parseEther('100') })
  await chain.mine({ blocks: 1 })
  pool = await startEvmPool({ rpcUrl: anvil.rpcUrl })
  return () => pool.close()
})

function clientOf(url: string) {
  return createPublicClient({ cacheTime: 0, transport: http(url, { retryCount: 0 }) })
}

function nodeAt(index: number) {
  const node = pool.nodes[index]
  if (!node) throw new Error('no such node')
  return node
}

interface Payment {
  nonce: number
  value?: bigint
  feeGwei?: number
  to?: Address
}

function sign(account: PrivateKeyAccount, { nonce, value = 1n, feeGwei = 10, to = SHOP }: Payment): Promise<Hex> {
  const fee = BigInt(feeGwei * 1e9)
  const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: fee, gas: 21_000n }
  return account.signTransaction({ type: 'eip1559', to, value, nonce, chainId: 31337, ...fees })
}

const nonceOf = (account: PrivateKeyAccount) => chain.getTransactionCount({ address: account.address })

test('a lagging node is consistent at its own height', async () => {
  const nonce = await nonceOf(ALICE)
  const before = await chain.getBalance({ address: SHOP })
  const client = clientOf(nodeAt(1).url)
  const hashes: Hex[] = []
  for (let sent = 0; sent < 4; sent += 1) {
    const serializedTransaction = await sign(ALICE, { nonce: nonce + sent, value: 10n })
    const hash = await clientOf(pool.url).sendRawTransaction({ serializedTransaction })
    // Anvil answers before it mines: the next one would come into the same block on a busy machine.
    await minedReceipt(chain, hash)
    hashes.push(hash)
  }
  const head = await chain.getBlockNumber({ cacheTime: 0 })
  const end = nodeAt(1).faults.begin({ kind: 'lag', details: { blocks: 2 } })

  expect(await client.getBlockNumber()).toBe(head - 2n)
  expect(await client.getBlock()).toMatchObject({ number: head - 2n })
  for (const blockTag of ['latest', 'pending'] as const) {
    expect(await client.getBalance({ address: SHOP, blockTag })).toBe(before + 20n)
    expect(await client.getTransactionCount({ address: ALICE.address, blockTag })).toBe(nonce + 2)
  }
  expect(await client.getTransactionReceipt({ hash: hashes[1] ?? '0x' })).toMatchObject({ blockNumber: head - 2n })
  await expect(client.getTransactionReceipt({ hash: hashes[2] ?? '0x' })).rejects.toThrow('could not be found')
  expect(await client.getTransaction({ hash: hashes[2] ?? '0x' })).toMatchObject({ blockNumber: null })
  await expect(client.getBlock({ blockNumber: head })).rejects.toThrow('could not be found')
  await expect(client.getBalance({ address: SHOP, blockNumber: head })).rejects.toThrow('header not found')
  expect(await client.getLogs({ fromBlock: head })).toEqual([])
  const { number: finalized } = await chain.getBlock({ blockTag: 'finalized' })
  expect(await client.getBlock({ blockTag: 'finalized' })).toMatchObject({
    number: finalized > 2n ? finalized - 2n : 0n,
  })

  await end()
  expect(await client.getBlockNumber()).toBe(head)
})

test('every call goes to the next node, and the answers of a batch come in another order', async () => {
  nodeAt(0).faults.begin({ kind: 'reset', details: {} })
  const client = clientOf(pool.url)
  const outcomes = await calls(6, () =>
    client.getBlockNumber().then(
      () => 'answered',
      () => 'cut',
    ),
  )
  expect(outcomes).toEqual(['cut', 'answered', 'answered', 'cut', 'answered', 'answered'])

  const batch = [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] }))
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(nodeAt(1).url, { method: 'POST', headers, body: JSON.stringify(batch) })
  expect(await answer.json()).toEqual([3, 2, 1].map((id) => ({ jsonrpc: '2.0', id, result: '0x7a69' })))
})

test('a node that swallows says yes and does nothing; one that forgets denies what is mined', async () => {
  const raw = await sign(ALICE, { nonce: await nonceOf(ALICE) })
  const end = nodeAt(0).faults.begin({ kind: 'swallow', details: {} })
  expect(await clientOf(nodeAt(0).url).sendRawTransaction({ serializedTransaction: raw })).toBe(keccak256(raw))
  await expect(chain.getTransaction({ hash: keccak256(raw) })).rejects.toThrow('could not be found')
  await end()
  const hash = await clientOf(nodeAt(0).url).sendRawTransaction({ serializedTransaction: raw })
  nodeAt(0).faults.begin({ kind: 'forget', details: {} })
  await expect(clientOf(nodeAt(0).url).getTransaction({ hash })).rejects.toThrow('could not be found')
  await expect(clientOf(nodeAt(0).url).getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
  expect(await clientOf(nodeAt(1).url).getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
})

test('a replacement has to pay a tenth more on both fees, and an account has 16 places', async () => {
  await chain.setAutomine(false)
  try {
    const nonce = await nonceOf(BOB)
    const client = clientOf(pool.url)
    const send = async (payment: Payment) =>
      client.sendRawTransaction({ serializedTransaction: await sign(BOB, payment) })
    await send({ nonce, feeGwei: 10 })
    await expect(send({ nonce, feeGwei: 10.9 })).rejects.toThrow('replacement transaction underpriced')
    await send({ nonce, feeGwei: 11 })
    for (let more = 1; more < 16; more += 1) await send({ nonce: nonce + more })
    await expect(send({ nonce: nonce + 16 })).rejects.toThrow('txpool is full')
  } finally {
    await chain.setAutomine(true)
    await chain.mine({ blocks: 1 })
  }
})

test('a reorganisation puts some transactions in other blocks, some back in the pool, and loses only what the product holds', async () => {
  const [ofAlice, ofBob] = [await nonceOf(ALICE), await nonceOf(BOB)]
  const before = await chain.getBalance({ address: SHOP })
  const direct: Hex[] = []
  const held: DroppedTransaction[] = []
  for (let sent = 0; sent < 4; sent += 1) {
    const ofPool = await sign(ALICE, { nonce: ofAlice + sent })
    const hash = await mined(await clientOf(pool.url).sendRawTransaction({ serializedTransaction: ofPool }))
    held.push({ hash, from: 'alice', nonce: sent, raw: ofPool, blockIndex: 2 * sent, mayBeLost: true })
    const raw = await sign(BOB, { nonce: ofBob + sent })
    direct.push(await mined(await chain.sendRawTransaction({ serializedTransaction: raw })))
  }
  const head = await chain.getBlock()
  const chances = { included: 0.5, lost: 1 }
  // What a seed does follows from the hashes, which are others in each run.
  const seeds = Array.from({ length: 100 }, (_, seed) => seed)
  const seed = seeds.find((candidate) => {
    const { included, lost } = planBranch(held, 8, candidate, chances)
    return included.length > 0 && lost.length > 0
  })
  const done = await pool.reorganise({ blocks: 8, seed: seed ?? 0, chances })

  expect(done.blocks).toBe(8)
  expect(await chain.getBlock({ blockNumber: head.number })).not.toMatchObject({ hash: head.hash })
  expect([...done.included, ...done.pooled, ...done.lost]).toHaveLength(8)
  expect(done.lost.length).toBeGreaterThan(0)
  expect(done.lost.filter((hash) => direct.includes(hash as Hex))).toEqual([])
  for (const hash of direct) expect(await chain.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  expect(await chain.getBalance({ address: SHOP })).toBe(before + 8n - BigInt(done.lost.length))
  expect(await nonceOf(BOB)).toBe(ofBob + 4)
  expect(await nonceOf(ALICE)).toBe(ofAlice + 4 - done.lost.length)
})

test('a reorganisation stops at the first block of the pool, and at the final one', async () => {
  expect(await pool.reorganise({ blocks: 5, seed: 1, chances: { included: 1, lost: 0 } })).toMatchObject({ blocks: 0 })
})

test('a node that stays on the old branch shows what the others have dropped, until it joins them again', async () => {
  const raw = await sign(ALICE, { nonce: await nonceOf(ALICE) })
  const hash = await mined(await clientOf(pool.url).sendRawTransaction({ serializedTransaction: raw }))
  const head = await chain.getBlock()
  const request = { blocks: 1, seed: 1, chances: { included: 0, lost: 1 } }
  const { lost, rejoin } = await pool.reorganise(request, nodeAt(2))
  expect(lost).toEqual([hash])
  const left = clientOf(nodeAt(2).url)
  expect(await left.getTransactionReceipt({ hash })).toMatchObject({ blockHash: head.hash })
  expect(await left.getBlock()).toMatchObject({ hash: head.hash })
  await expect(clientOf(nodeAt(1).url).getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
  await rejoin()
  await expect(left.getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
})

/** The node mines a moment after it has answered. */
async function mined(hash: Hex): Promise<Hex> {
  await minedReceipt(chain, hash)
  return hash
}

async function calls<T>(times: number, call: () => Promise<T>): Promise<T[]> {
  const outcomes: T[] = []
  for (let made = 0; made < times; made += 1) outcomes.push(await call())
  return outcomes
}

test('under interval mining the chain goes on after a reorganisation, with what waited and what no key has signed', async () => {
  const stranger = privateKeyToAccount(generatePrivateKey()).address
  const newcomer = privateKeyToAccount(generatePrivateKey())
  const unsigned = await chain.sendUnsignedTransaction({ from: ALICE.address, to: stranger, value: 5n })
  await minedReceipt(chain, unsigned)
  const nonce = await nonceOf(BOB)
  const send = async (from: PrivateKeyAccount, payment: Payment) =>
    chain.sendRawTransaction({ serializedTransaction: await sign(from, payment) })
  // The second one can be paid only where the first one is.
  await mined(await send(BOB, { nonce, value: parseEther('1'), to: newcomer.address }))
  const spent = await send(newcomer, { nonce: 0 })
  await chain.setIntervalMining({ interval: 1 })
  try {
    const waiting = await send(BOB, { nonce: nonce + 1 })
    for (const seed of [1, 2, 3, 4]) {
      const { blocks } = await pool.reorganise({ blocks: 3, seed, chances: { included: 0.5, lost: 0 } })
      expect(blocks).toBeGreaterThan(0)
    }
    for (const hash of [spent, waiting]) {
      expect(await minedReceipt(chain, hash)).toMatchObject({ status: 'success' })
    }
    expect(await chain.getBalance({ address: stranger })).toBe(5n)
  } finally {
    await chain.setIntervalMining({ interval: 0 })
    await chain.setAutomine(true)
  }
})
