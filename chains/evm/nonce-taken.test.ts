import { describe, expect, it } from 'vitest'
import { RpcRequestError } from 'viem'
import { freshAddress } from '../../test/harness/evm.js'
import type { RpcAnswer, RpcCall } from '../nodes/json-rpc.js'
import type { EvmClient } from './client.js'
import { isNonceTakenAt } from './nonce-taken.js'

const HASH = `0x${'11'.repeat(32)}` as const
const ours = { account: freshAddress(), nonce: 57, hashes: [HASH] }
const theirs = { from: ours.account, nonce: ours.nonce, hash: `0x${'22'.repeat(32)}` }

/** What a node shows beside its answers: the transactions of block 8, in which the account's count goes past the nonce. */
interface Shown {
  inBlock?: readonly unknown[]
  /** What it answers to a count of an earlier block, where it has none. */
  countless?: string
}

/** A node that answers each call of a batch by itself. @param answerOf what is shown to the call at a place */
function nodeThat(answerOf: (call: RpcCall, place: number) => unknown, shown: Shown = {}): EvmClient {
  const { inBlock = [theirs], countless } = shown
  const askTogether = (calls: readonly RpcCall[]): Promise<RpcAnswer[]> =>
    Promise.resolve(calls.map((call, place) => ({ result: answerOf(call, place) }) as RpcAnswer))
  const error = { code: -32_000, message: countless ?? '' }
  const refusal = new RpcRequestError({ body: {}, url: '', error })
  return {
    transport: { nodes: { askTogether } },
    getBlockNumber: () => Promise.resolve(20n),
    getTransactionCount: ({ blockNumber }: { blockNumber: bigint }) =>
      countless === undefined ? Promise.resolve(blockNumber >= 8n ? 58 : 57) : Promise.reject(refusal),
    getBlock: ({ blockNumber }: { blockNumber: bigint }) =>
      Promise.resolve({ transactions: blockNumber === 8n ? inBlock : [] }),
  } as unknown as EvmClient
}

const blockOf = (branch: string) => ({ hash: branch })
const used = '0x3a'

describe('a nonce of ours that another transaction has taken', () => {
  /** It counts the nonce as used by a block, and has a receipt of none of ours. */
  const says = ({ method }: RpcCall): unknown =>
    method === 'eth_getBlockByNumber' ? blockOf('a') : method === 'eth_getTransactionCount' ? used : null

  it('is one that a node counts as used by a block, of which it has no receipt of ours, and shows another', async () => {
    expect(await isNonceTakenAt(nodeThat(says), 9n, ours)).toBe(true)
  })

  it.each(['missing trie node a1b2 (path )', 'No state available for block 0x8', 'state at block 8 is pruned'])(
    'is one of which it shows no other where it does not keep the counts that lead to it: %s',
    async (countless) => {
      expect(await isNonceTakenAt(nodeThat(says, { countless }), 9n, ours)).toBe(true)
    },
  )

  it.each(['header not found', 'execution aborted'])(
    'is not proven where it cannot tell now which other: %s',
    async (countless) => {
      expect(await isNonceTakenAt(nodeThat(says, { countless }), 9n, ours)).toBe(false)
    },
  )

  it('is not proven where the block in which it was used shows no other: a node that is between two branches counts what it has dropped', async () => {
    expect(await isNonceTakenAt(nodeThat(says, { inBlock: [] }), 9n, ours)).toBe(false)
    expect(await isNonceTakenAt(nodeThat(says, { inBlock: [{ ...theirs, nonce: 56 }] }), 9n, ours)).toBe(false)
  })

  it('is not proven where that block shows one of ours: a node that forgets has no receipt of it', async () => {
    expect(await isNonceTakenAt(nodeThat(says, { inBlock: [{ ...theirs, hash: HASH }] }), 9n, ours)).toBe(false)
  })

  it('is not proven by a count of one branch and a missing receipt of another, though one node says both in one answer', async () => {
    const answerOf = ({ method }: RpcCall, place: number): unknown =>
      method === 'eth_getBlockByNumber'
        ? blockOf(place < 2 ? 'a' : 'b')
        : method === 'eth_getTransactionCount'
          ? used
          : null
    expect(await isNonceTakenAt(nodeThat(answerOf), 9n, ours)).toBe(false)
  })

  it('is not proven by a node that does not have the block', async () => {
    const answerOf = ({ method }: RpcCall): unknown => (method === 'eth_getTransactionCount' ? used : null)
    expect(await isNonceTakenAt(nodeThat(answerOf), 9n, ours)).toBe(false)
  })
})
