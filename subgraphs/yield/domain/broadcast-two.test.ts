import type { Keypair } from '@solana/web3.js'
import { describe, expect, it, vi } from 'vitest'
import type { RpcFate } from '../../../test/harness/rpc-proxy.js'
import { refusalOf, sign, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { broadcastsOf, isSend, refusal, signatureOf } from '../fixtures/broadcasts.js'
import { broadcastYield } from './broadcast-yield.js'
import { depositYield } from './deposit-yield.js'
import { rebalanceYield } from './rebalance-yield.js'

const harness = await startYieldHarness()
const { broadcast, refused } = broadcastsOf(harness)

describe('the two transactions of a rebalance', () => {
  const rebalance = async (wallet: Keypair) => {
    const asset = {
      provider: 'alpha_lend' as const,
      asset: 'PYUSD',
      wallet: wallet.publicKey.toBase58(),
      amount: '1000',
      chainName: 'solana',
    }
    await broadcast([sign(wallet, (await depositYield(harness.deps, TENANT, asset)).transaction)])
    const built = await rebalanceYield(harness.deps, TENANT, {
      ...asset,
      amount: '400',
      provider: null,
      providerOut: 'alpha_lend',
      providerIn: 'beta',
    })
    if (built.mode !== 'two_transaction') throw new Error('it fits')
    return [sign(wallet, built.withdraw.transaction), sign(wallet, built.deposit.transaction)] as const
  }

  it('are sent in order, the second once the first is final; the same two again only what is missing', async () => {
    const wallet = await harness.newWallet()
    const [first, second] = await rebalance(wallet)
    harness.rpc.calls.length = 0
    let isBroken = true
    harness.rpc.onCall = ({ method, params }) =>
      isBroken && method === 'sendTransaction' && params[0] === second ? refusal(-32005, 'Node is behind') : 'pass'
    expect(await refused([first, second])).toMatchObject({
      code: 'broadcast_rpc_unavailable',
      details: expect.stringContaining(`transaction 2 of 2 failed; landed before it: ${signatureOf(first)}`),
    })
    isBroken = false
    const answer = await broadcast([first, second])
    expect(answer.transactionHashes).toEqual([signatureOf(first), signatureOf(second)])
    expect(harness.rpc.calls.filter(isSend).map(({ params }) => params[0])).toEqual([first, second])
  })

  it('are both sent where the second comes to a node that has not seen the block of the first for a moment', async () => {
    const [first, second] = await rebalance(await harness.newWallet())
    let refusals = 0
    harness.rpc.onCall = (call) => {
      const { minContextSlot } = (call.params[1] ?? {}) as { minContextSlot?: number }
      if (!isSend(call) || minContextSlot === undefined || refusals === 2) return 'pass'
      refusals += 1
      return refusal(-32016, 'Minimum context slot has not been reached')
    }
    expect(await broadcast([first, second])).toMatchObject({ transactionHash: signatureOf(second) })
    expect(refusals).toBe(2)
    harness.rpc.onCall = () => 'pass'
  })

  it('leave the second unsent, and say so, where the first took all the time; the same two again send it', async () => {
    const wallet = await harness.newWallet()
    const [first, second] = await rebalance(wallet)
    const { broadcasts } = harness.deps
    const finish: typeof broadcasts.finish = async (row, landed) => {
      await broadcasts.finish(row, landed)
      const later = performance.now() + harness.deps.broadcastTiming.pairWaitMs
      vi.spyOn(performance, 'now').mockReturnValue(later)
    }
    const slow = { ...harness.deps, broadcasts: { ...broadcasts, finish } }
    const answer = await refusalOf(broadcastYield(slow, TENANT, { chainName: 'solana', opSigned: [first, second] }))
    vi.restoreAllMocks()
    expect(answer).toEqual({
      code: 'broadcast_rpc_unavailable',
      details: `transaction 2 of 2 failed; landed before it: ${signatureOf(first)}; this transaction was not sent, as the time of its request was over: send the same again in a while`,
    })
    expect(await broadcasts.find(TENANT.id, signatureOf(second))).toBeUndefined()
    expect(await broadcast([first, second])).toMatchObject({ transactionHash: signatureOf(second) })
  })

  it('are answered in time, though a node keeps the second waiting for longer, and the second is not called unsent', async () => {
    const [first, second] = await rebalance(await harness.newWallet())
    const { promise: isAnswered, resolve } = Promise.withResolvers<'pass'>()
    harness.rpc.onCall = ({ method, params }) =>
      method === 'sendTransaction' && params[0] === second ? isAnswered : 'pass'
    const broadcastTiming = { ...harness.deps.broadcastTiming, answerMs: 2_500 }
    // It waits for a node for as long as that takes.
    const hurried = await harness.anotherProcess({ rpcTimeoutMs: 240_000, broadcastTiming })
    const answer = broadcastYield(hurried, TENANT, { chainName: 'solana', opSigned: [first, second] })
    await expect(answer).rejects.toMatchObject({
      code: 'broadcast_confirmation_timeout',
      message: expect.stringContaining('the second is not known to have. Do not build both again'),
      details: expect.stringContaining(
        `landed before it: ${signatureOf(first)}; transactionHash ${signatureOf(second)}`,
      ),
    })
    resolve('pass')
    expect(await broadcast([first, second], hurried)).toMatchObject({ transactionHash: signatureOf(second) })
    harness.rpc.onCall = () => 'pass'
  }, 60_000)

  it('say that the first has landed, and not to build both again, where the second has expired meanwhile', async () => {
    const pair = await rebalance(await harness.newWallet())
    let isLate = false
    harness.rpc.onCall = async ({ method, params }): Promise<RpcFate> => {
      if (method !== 'sendTransaction' || params[0] !== pair[1] || isLate) return 'pass'
      isLate = true
      await harness.advance(200)
      return 'pass'
    }
    const half = {
      code: 'solana_blockhash_expired',
      message: expect.stringContaining('has landed, and the second cannot. Do not build both again'),
      details: expect.stringContaining(`landed before it: ${signatureOf(pair[0])}`),
    }
    await expect(broadcast(pair)).rejects.toMatchObject(half)
    harness.rpc.onCall = () => 'pass'
    await expect(broadcast(pair)).rejects.toMatchObject(half)
  })

  it('are not begun where their blockhash may be too old for the second, and a fresh pair is', async () => {
    const wallet = await harness.newWallet()
    const pair = await rebalance(wallet)
    await harness.advance(52)
    harness.rpc.calls.length = 0
    expect(await refused(pair)).toMatchObject({
      code: 'solana_blockhash_expired',
      details: expect.stringMatching(/^none of the two was sent; blocks left: \d+, needed: 50$/),
    })
    expect(harness.rpc.calls.filter(isSend)).toEqual([])
    // The first alone lives long enough.
    const [first] = pair
    expect(await broadcast([first])).toMatchObject({ transactionHash: signatureOf(first) })
  })

  it('in the wrong order are refused before anything happens', async () => {
    const wallet = await harness.newWallet()
    const [first, second] = await rebalance(wallet)
    const own = await harness.balanceOf(wallet.publicKey, harness.marketOf('beta', 'PYUSD').asset.mint)
    expect(own).toBe(0n)
    expect(await refused([second, first])).toMatchObject({ code: 'broadcast_simulation_failed' })
  })
})
