import { describe, expect, it } from 'vitest'
import { freshAddress } from '../../test/harness/evm.js'
import type { RpcAnswer, RpcCall } from '../nodes/json-rpc.js'
import type { EvmClient } from './client.js'
import { isNonceTakenAt } from './nonce-taken.js'

const HASH = `0x${'11'.repeat(32)}` as const
const ours = { account: freshAddress(), nonce: 57, hashes: [HASH] }

/** A node that answers each call of a batch by itself. @param answerOf what is shown to the call at a place */
function nodeThat(answerOf: (call: RpcCall, place: number) => unknown): EvmClient {
  const askTogether = (calls: readonly RpcCall[]): Promise<RpcAnswer[]> =>
    Promise.resolve(calls.map((call, place) => ({ result: answerOf(call, place) }) as RpcAnswer))
  return { transport: { nodes: { askTogether } } } as unknown as EvmClient
}

const blockOf = (branch: string) => ({ hash: branch })
const used = '0x3a'

describe('a nonce of ours that another transaction has taken', () => {
  it('is one that a node counts as used by a block, and of which it has no receipt of ours', async () => {
    const answerOf = ({ method }: RpcCall): unknown =>
      method === 'eth_getBlockByNumber' ? blockOf('a') : method === 'eth_getTransactionCount' ? used : null
    expect(await isNonceTakenAt(nodeThat(answerOf), 9n, ours)).toBe(true)
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
