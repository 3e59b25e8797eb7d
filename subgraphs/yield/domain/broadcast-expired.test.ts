import { afterEach, describe, expect, it } from 'vitest'
import type { RpcCall, RpcFate } from '../../../test/harness/rpc-proxy.js'
import { refusalOf, startYieldHarness } from '../../../test/harness/yield.js'
import { broadcastsOf, isSend, refusal } from '../fixtures/broadcasts.js'

const harness = await startYieldHarness()
const { broadcast, signedDeposit } = broadcastsOf(harness)
afterEach(() => {
  harness.rpc.onCall = () => 'pass'
})

const UNKNOWN = refusal(-32002, 'Transaction simulation failed: Blockhash not found', { err: 'BlockhashNotFound' })
const answerOf = (slot: number, value: unknown): RpcFate => ({ answer: { result: { context: { slot }, value } } })
const isLook = ({ method }: RpcCall) => method === 'getSignatureStatuses'
const commitmentOf = ({ params }: RpcCall) => (params[1] as { commitment?: string }).commitment

/**
 * One node behind the address lags by 100 slots: all looks at signatures come to it, and the first three sends. `word`: what is said of the
 * blockhash, at so many slots.
 */
const lagging = (head: number, word: (call: RpcCall) => RpcFate) => {
  let refusals = 0
  return (call: RpcCall): RpcFate => {
    if (isLook(call) && refusals < 3) return answerOf(head - 100, [null])
    if (call.method === 'isBlockhashValid' && refusals <= 3) return word(call)
    if (!isSend(call) || refusals === 3) return 'pass'
    refusals += 1
    return UNKNOWN
  }
}
const headOf = () => harness.client.connection.getSlot()

describe('a fresh blockhash that a node which is behind does not know', () => {
  it('is not called expired where this process has seen a newer slot when it built the transaction', async () => {
    const wire = await signedDeposit(await harness.newWallet())
    const head = await headOf()
    harness.rpc.onCall = lagging(head, () => answerOf(head - 50, false))
    expect(await broadcast([wire])).toMatchObject({ transactionHashes: null })
  })

  it('is not called expired by a block that is final where another node calls it valid, whoever has built the transaction', async () => {
    const wire = await signedDeposit(await harness.newWallet())
    const other = await harness.anotherProcess()
    const head = await headOf()
    harness.rpc.onCall = lagging(head, (call) =>
      commitmentOf(call) === 'finalized' ? answerOf(head - 32, false) : answerOf(head, true),
    )
    expect(await broadcast([wire], other)).toMatchObject({ transactionHashes: null })
  })

  it('is not called expired from before the newest slot that a node has shown when one first refused it', async () => {
    const wire = await signedDeposit(await harness.newWallet())
    const other = await harness.anotherProcess()
    const head = await headOf()
    harness.rpc.onCall = lagging(head, (call) =>
      answerOf(commitmentOf(call) === 'finalized' ? head - 32 : head - 1, false),
    )
    expect(await broadcast([wire], other)).toMatchObject({ transactionHashes: null })
  })

  it.each([
    ['however long, until it has come to where others were', { behind: 100, nearerBy: 30 }],
    ['however fast it comes nearer', { behind: 600, nearerBy: 200 }],
  ])('is not called expired where this process sees that node alone, %s', async (_what, { behind, nearerBy }) => {
    const wire = await signedDeposit(await harness.newWallet())
    const other = await harness.anotherProcess()
    const head = await headOf()
    let sends = 0
    // It comes nearer with each send, and has the 32 slots before its newest one final.
    const newest = () => head - behind + nearerBy * sends
    harness.rpc.onCall = async (call) => {
      if (isSend(call)) sends += 1
      if (sends > 3) return 'pass'
      if (isSend(call)) return UNKNOWN
      if (isLook(call)) return answerOf(newest(), [null])
      if (call.method === 'isBlockhashValid') {
        return answerOf(commitmentOf(call) === 'finalized' ? newest() - 32 : newest(), false)
      }
      const result = await harness.client.call(call.method, call.params)
      const isOfSlot = typeof result === 'object' && result !== null && 'context' in result
      return { answer: { result: isOfSlot ? { ...result, context: { slot: newest() } } : result } }
    }
    expect(await broadcast([wire], other)).toMatchObject({ transactionHashes: null })
  })
})

it('a blockhash that another process has handed out is called expired once what is final was made after it was refused', async () => {
  const wire = await signedDeposit(await harness.newWallet())
  const other = await harness.anotherProcess()
  await harness.advance(200)
  const answer = async () => (await refusalOf(broadcast([wire], other))).code
  expect(await answer()).toBe('broadcast_confirmation_timeout')
  await harness.advance(70)
  expect(await answer()).toBe('solana_blockhash_expired')
})
