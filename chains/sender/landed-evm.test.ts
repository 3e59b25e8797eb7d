import { keccak256, type Hex } from 'viem'
import { afterEach, expect, it } from 'vitest'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import { startEvmNodePool, wholePool } from '../../test/harness/evm-node-pool.js'
import { freshAddress, mine, startEvmHarness } from '../../test/harness/evm.js'
import { buildTransfer } from '../evm/build-transfer.js'
import { createEvmClient } from '../evm/client.js'
import { followLandedEvm } from './landed-evm.js'

const FINALITY_BLOCKS = 5

const harness = await startEvmHarness()
const pool = await startEvmNodePool(harness.chain.rpcUrl)
const chain = { ...harness.chain, rpcUrl: pool.url, finalityBlocks: FINALITY_BLOCKS }
afterEach(() => Object.assign(pool, wholePool(), { refuses: () => false }))

const signed = async (changes: Parameters<typeof signRequest>[2] = {}): Promise<Hex> => {
  const { chain: on, client, payer, native } = harness
  const to = freshAddress()
  const from = payer.address
  const built = await buildTransfer({ chain: on, client, from, to, asset: native, symbol: 'POL', amount: 5n })
  return signRequest(payer, built, changes)
}
const following = () => {
  const look = followLandedEvm(createEvmClient(chain), chain)
  return (raw: Hex) => look(raw, keccak256(raw))
}
/** What nodes were asked, each call of a batch by itself. */
async function askedIn(work: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = []
  pool.refuses = ({ method }) => {
    asked.push(method)
    return false
  }
  await work()
  return asked
}

it.each([1, 40])('asks by block and not by transaction, of which there are %s', async (transactions) => {
  const look = following()
  await harness.anvil.setAutomine(false)
  const first = await harness.anvil.getTransactionCount({ address: harness.payer.address })
  const raws: Hex[] = []
  for (let made = 0; made < transactions; made += 1) raws.push(await signed({ nonce: first + made }))
  for (const serializedTransaction of raws) await harness.anvil.sendRawTransaction({ serializedTransaction })
  await harness.anvil.mine({ blocks: 1 })
  await harness.anvil.setAutomine(true)
  const all = () => Promise.all(raws.map(look))
  // Once, in which block each of them is.
  expect(new Set(await all())).toEqual(new Set(['waiting']))
  expect((await askedIn(all)).toSorted()).toEqual(['eth_blockNumber', 'eth_getBlockByNumber'])
  await harness.anvil.mine({ blocks: FINALITY_BLOCKS - 1 })
  const ended = all()
  expect((await askedIn(() => ended)).length).toBeLessThanOrEqual(2)
  expect(new Set(await ended)).toEqual(new Set(['final']))
})

it('finds by itself what a reorganisation has dropped, and follows it in its new block', async () => {
  const look = following()
  const raw = await signed()
  await mine(harness, raw)
  expect(await look(raw)).toBe('waiting')
  await harness.anvil.request({ method: 'anvil_reorg', params: [1, []] } as never)
  expect(await look(raw)).toBe('missing')
  await harness.anvil.sendRawTransaction({ serializedTransaction: raw })
  await minedReceipt(harness.anvil, keccak256(raw))
  expect(await look(raw)).toBe('waiting')
  expect(await look(raw)).toBe('waiting')
  await harness.anvil.mine({ blocks: FINALITY_BLOCKS - 1 })
  expect(await look(raw)).toBe('final')
})

it('says that a final block has it where it moved nothing', async () => {
  const look = following()
  const token = harness.chain.tokens['USDT']?.address ?? '0x'
  // No such call: the token refuses it, and the gas is not estimated.
  const raw = await signed({ to: token, data: '0xdeadbeef', value: 0n, gas: 100_000n })
  await mine(harness, raw)
  expect(await look(raw)).toBe('waiting')
  await harness.anvil.mine({ blocks: FINALITY_BLOCKS - 1 })
  expect(await look(raw)).toBe('reverted')
})

it('takes the word of a node that is behind for nothing', async () => {
  const look = following()
  const raw = await signed()
  await mine(harness, raw)
  expect(await look(raw)).toBe('waiting')
  await harness.anvil.mine({ blocks: FINALITY_BLOCKS - 1 })
  pool.lagBlocks = FINALITY_BLOCKS
  pool.isBehind = (methods) => methods.includes('eth_getBlockByNumber')
  expect(await look(raw)).toBe('waiting')
  pool.isBehind = () => false
  expect(await look(raw)).toBe('final')
})
