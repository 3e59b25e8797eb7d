import { describe, expect, it } from 'vitest'
import type { DurableNonce } from '../../../chains/solana/durable-nonces.js'
import type { Payout } from '../store/payout.entity.js'
import { newPayout } from './new-payout.js'
import type { PreparedBatch } from './payout-chain.js'
import { batchesOf, signEach, type Batch, type Unsigned } from './solana-batches.js'

const AT = new Date('2026-11-25T12:00:00Z')
const NONES: ReadonlySet<Payout> = new Set()

function payoutsOf(count: number, changes: Partial<Payout> = {}): Payout[] {
  return Array.from({ length: count }, (_, splitIndex) => {
    const planned = { tenantId: 'tenant', paymentId: 'payment', splitIndex, chainName: 'solana', symbol: 'USDC' }
    return { ...newPayout({ ...planned, receiver: `${splitIndex}`, amount: '1', fiatAmount: '5' }, AT), ...changes }
  })
}

const noncesOf = (count: number): DurableNonce[] =>
  Array.from({ length: count }, (_, index) => ({ account: `account${index}`, value: 'value', slot: 1 }))

/** Signs as a chain does on which some payouts would fail; `isGood` is of one payout alone. */
function signerOf(isGood: (payout: Payout, batch: Batch) => boolean) {
  const tried: Batch[] = []
  const sign = (batch: Batch, durableNonce: DurableNonce): Promise<PreparedBatch | Unsigned> => {
    tried.push(batch)
    const { payouts } = batch
    if (!payouts.every((payout) => isGood(payout, batch)))
      return Promise.resolve({ reason: 'the account is frozen', isNonceUnready: false })
    const one = { payouts, batchId: `${tried.length}`, hash: `${tried.length}`, raw: '', nonce: null, validUntil: null }
    return Promise.resolve({ ...one, durableNonce })
  }
  return { sign, tried }
}

const sizesOf = (batches: readonly { payouts: readonly Payout[] }[]) => batches.map(({ payouts }) => payouts.length)

describe('the batches of payouts on Solana', () => {
  it('are tried in halves where one would fail, so that one bad payout costs a few transactions and not fifteen', async () => {
    const payouts = payoutsOf(15)
    const bad = payouts[4]
    const { sign, tried } = signerOf((payout) => payout !== bad)
    const { prepared, failing } = await signEach(batchesOf(payouts, NONES), noncesOf(20), sign)
    expect(failing).toEqual([{ payout: bad, reason: 'the account is frozen' }])
    expect(sizesOf(prepared).reduce((sum, size) => sum + size, 0)).toBe(14)
    expect(prepared).toHaveLength(4)
    expect(tried.length).toBeLessThanOrEqual(10)
  })

  it('are tried once more by themselves where a receiver’s account may be closed since it was looked for', async () => {
    const payouts = payoutsOf(2)
    const { sign } = signerOf((payout, { haveAccounts }) => payout !== payouts[0] || !haveAccounts)
    const { prepared, failing } = await signEach(batchesOf(payouts, NONES), noncesOf(5), sign)
    expect(failing).toEqual([])
    expect(sizesOf(prepared)).toEqual([1, 1])
  })

  it('find all that are good also where there are few nonces, and lose none of these', async () => {
    const payouts = payoutsOf(15)
    const { sign } = signerOf((payout) => payout !== payouts[14])
    const { prepared } = await signEach(batchesOf(payouts, NONES), noncesOf(2), sign)
    expect(new Set(prepared.map(({ durableNonce }) => durableNonce?.account)).size).toBe(2)
    expect(sizesOf(prepared)).toEqual([8, 4])
  })

  it('have those apart that would have failed before, each in the turn of its first', () => {
    const [good, bad] = [payoutsOf(16), payoutsOf(2, { failedTries: 3 })]
    const payouts = [...good.slice(0, 15), ...bad, ...good.slice(15)]
    const batches = batchesOf(payouts, NONES)
    expect(batches.map((batch) => batch.payouts)).toEqual([good.slice(0, 15), bad, good.slice(15)])
  })

  it('have those apart whose receivers have no account', () => {
    const payouts = payoutsOf(10)
    const missing = new Set(payouts.slice(0, 8))
    expect(batchesOf(payouts, missing)).toEqual([
      { payouts: payouts.slice(0, 7), haveAccounts: false },
      { payouts: payouts.slice(7, 8), haveAccounts: false },
      { payouts: payouts.slice(8), haveAccounts: true },
    ])
  })
})
