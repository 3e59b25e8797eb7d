import { keccak256, type Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'
import { startEvmNodePool, wholePool } from '../../test/harness/evm-node-pool.js'
import { freshAddress, mine, startEvmHarness } from '../../test/harness/evm.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import { buildTransfer } from '../evm/build-transfer.js'
import { createEvmClient } from '../evm/client.js'
import { finalityOfEvm, retrieveEvm, sendAgain } from './evm-signed.js'

const MINUTE = 60_000
const FINALITY_BLOCKS = 5

const harness = await startEvmHarness()
const pool = await startEvmNodePool(harness.chain.rpcUrl)
const chain = { ...harness.chain, finalityBlocks: FINALITY_BLOCKS }
const client = createEvmClient({ ...chain, rpcUrl: pool.url })
afterEach(async () => {
  Object.assign(pool, wholePool())
  await harness.anvil.setAutomine(true)
})

const built = () =>
  buildTransfer({
    ...{ chain, client: harness.client, from: harness.payer.address, to: freshAddress() },
    ...{ asset: harness.native, symbol: 'POL', amount: 5n },
  })
const signed = async (changes: Parameters<typeof signRequest>[2] = {}) =>
  signRequest(harness.payer, await built(), changes)
const look = (raw: Hex, ageMs = 0, hash = keccak256(raw)) =>
  retrieveEvm({ client, chain, seen: () => undefined }, { hash, raw, ageMs })
const finality = (raw: Hex) => finalityOfEvm(client, chain, raw, keccak256(raw))
/** Drops the newest blocks, and what they hold. */
const drop = (blocks: number, instead: readonly [Hex, number][] = []) =>
  harness.anvil.request({ method: 'anvil_reorg', params: [blocks, instead] } as never)
const nodeIsBehind = async (blocks: number) => {
  await harness.anvil.mine({ blocks })
  pool.lagBlocks = blocks + 1
  pool.isBehind = () => true
}

describe("a wallet's transaction", () => {
  it('is unknown, then waits, then has landed', async () => {
    await harness.anvil.setAutomine(false)
    const raw = await signed()
    expect(await look(raw)).toEqual({ kind: 'unknown' })
    const hash = await harness.anvil.sendRawTransaction({ serializedTransaction: raw })
    expect(await look(raw)).toEqual({ kind: 'waiting' })
    await harness.anvil.mine({ blocks: 1 })
    expect(await look(raw)).toMatchObject({ kind: 'landed', hash })
  })

  it('has landed under the hash by which its wallet sped it up', async () => {
    const request = await built()
    const raw = await signRequest(harness.payer, request)
    const faster = await signRequest(harness.payer, request, { maxFeePerGas: BigInt(request.maxFeePerGas) * 2n })
    await mine(harness, faster)
    expect(await look(raw)).toMatchObject({ kind: 'landed', hash: keccak256(faster) })
  })

  it('is dropped by a proof that another took its nonce, and not while it is young', async () => {
    const raw = await signed()
    await mine(harness, await signed({ value: 1n }))
    expect(await look(raw, 10 * MINUTE)).toEqual({ kind: 'unknown' })
    expect(await look(raw, 10 * MINUTE + 1)).toMatchObject({ kind: 'failed', code: 'transaction_dropped' })
  })

  it('is not dropped by a node that is behind, however old the transaction is', async () => {
    const raw = await signed()
    await mine(harness, raw)
    await nodeIsBehind(3)
    expect(await look(raw, 60 * MINUTE)).toEqual({ kind: 'unknown' })
    expect(await finality(raw)).toBe('missing')
    Object.assign(pool, wholePool())
    expect(await look(raw, 60 * MINUTE)).toMatchObject({ kind: 'landed' })
  })

  it('counts as unknown where a pool keeps it behind a nonce that nobody has sent', async () => {
    const request = await built()
    const raw = await signRequest(harness.payer, request, { nonce: request.nonce + 1 })
    await harness.anvil.sendRawTransaction({ serializedTransaction: raw })
    expect(await look(raw, MINUTE - 1)).toEqual({ kind: 'waiting' })
    expect(await look(raw, MINUTE)).toEqual({ kind: 'unknown' })
    await mine(harness, await signRequest(harness.payer, request))
    await minedReceipt(harness.anvil, keccak256(raw))
  })
})

describe('a transaction that has landed', () => {
  it('waits until its block is final, is missing where that was dropped, and lands again by the same bytes', async () => {
    const raw = await signed()
    await mine(harness, raw)
    expect(await finality(raw)).toBe('waiting')
    await drop(1)
    expect(await finality(raw)).toBe('missing')
    await sendAgain(client, raw)
    await minedReceipt(harness.anvil, keccak256(raw))
    expect(await finality(raw)).toBe('waiting')
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS - 1 })
    expect(await finality(raw)).toBe('final')
    // Of what the chain has it is harmless.
    await sendAgain(client, raw)
    expect(await finality(raw)).toBe('final')
  })

  it('has reverted where the branch that stayed has no place for it any more', async () => {
    const token = harness.chain.tokens['USDT']?.address ?? '0x'
    // No such call: the token refuses it, and the gas is not estimated.
    const raw = await signed({ to: token, data: '0xdeadbeef', value: 0n, gas: 100_000n })
    await mine(harness, raw)
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS - 1 })
    expect(await finality(raw)).toBe('reverted')
  })

  it('is replaced where another transaction took its nonce on the branch that stayed', async () => {
    const request = await built()
    const raw = await signRequest(harness.payer, request)
    await mine(harness, raw)
    await drop(1, [[await signRequest(harness.payer, request, { value: 1n }), 0]])
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS - 2 })
    // The branch that has it may be left as well.
    expect(await finality(raw)).toBe('missing')
    await harness.anvil.mine({ blocks: 1 })
    expect(await finality(raw)).toBe('replaced')
    expect(await sendAgain(client, raw)).toBe('refused')
    expect(await finality(raw)).toBe('replaced')
  })

  it('is missing, and not replaced, while another transaction with its nonce only waits', async () => {
    const request = await built()
    const raw = await signRequest(harness.payer, request)
    await mine(harness, raw)
    await harness.anvil.setAutomine(false)
    await drop(1)
    const other = await signRequest(harness.payer, request, { value: 1n })
    await harness.anvil.sendRawTransaction({ serializedTransaction: other })
    expect(await finality(raw)).toBe('missing')
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    expect(await finality(raw)).toBe('replaced')
  })

  it('is missing where its nonce is free, though no node tells which block is final', async () => {
    const { finalityBlocks: _, ...tagged } = { ...chain, rpcUrl: pool.url }
    const byTag = createEvmClient(tagged)
    const raw = await signed()
    await mine(harness, raw)
    // Its nodes know the tag, as it has seen.
    expect(await finalityOfEvm(byTag, tagged, raw, keccak256(raw))).toBe('waiting')
    await drop(1)
    pool.refuses = ({ params }) => params[0] === 'finalized' && { code: -39001, message: 'finalized block not found' }
    expect(await finalityOfEvm(byTag, tagged, raw, keccak256(raw))).toBe('missing')
    pool.refuses = () => false
  })

  it('is final where the branch that stayed has it as its wallet has sped it up', async () => {
    const request = await built()
    const raw = await signRequest(harness.payer, request)
    const faster = await signRequest(harness.payer, request, { maxFeePerGas: BigInt(request.maxFeePerGas) * 2n })
    await mine(harness, raw)
    await drop(1, [[faster, 0]])
    expect(await finality(raw)).toBe('waiting')
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    expect(await finality(raw)).toBe('final')
    // The other way round: it was told under the hash that was dropped.
    expect(await finalityOfEvm(client, chain, faster, keccak256(raw))).toBe('final')
  })
})
