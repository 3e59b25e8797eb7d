import { afterEach, describe, expect, it } from 'vitest'
import { createSolanaClient } from './client.js'
import { readConfirmation } from './confirm.js'
import { sendWire } from './broadcast.js'
import { freshAddress, signWire } from '../../test/harness/solana-side.js'
import { startSolanaNodePool } from '../../test/harness/solana-node-pool.js'
import { buildUsdc, startSolanaHarness } from '../../test/harness/solana.js'
import { verifySigned } from './verify-signed.js'

/** Longer than a blockhash lives (75 s), and shorter than the proof of an absence can be had. */
const EXPIRED_SECONDS = 80

describe('a Solana transaction whose blockhash has expired, before two nodes behind one address', async () => {
  const harness = await startSolanaHarness()
  const pool = await startSolanaNodePool(harness.solana.rpcUrl)
  const client = createSolanaClient({ rpcUrl: pool.url, commitment: 'confirmed' })
  afterEach(() => Object.assign(pool, { lagSlots: 0, forgets: false, isBehind: () => false }))

  const signed = async () => {
    const request = await buildUsdc(harness, [{ wallet: freshAddress(), amount: 5n }])
    const { raw, signature } = verifySigned(request, signWire(harness.payer, request.serialized))
    return { raw, attempt: { ...request, signature } }
  }
  const look = async ({ attempt }: Awaited<ReturnType<typeof signed>>) =>
    (await readConfirmation(client, harness.chain, attempt)).state

  it('is not called expired by the height of one node and the ignorance of one that is behind', async () => {
    const payment = await signed()
    await sendWire(client, payment.raw)
    await harness.solana.advance(EXPIRED_SECONDS)
    pool.lagSlots = 200
    pool.isBehind = (method) => method === 'getSignatureStatuses'
    expect(await look(payment)).toBe('unknown')
    pool.isBehind = () => false
    expect(await look(payment)).toBe('confirmed')
  })

  it('is not called expired where only the index of its reference shows that it landed', async () => {
    const payment = await signed()
    await sendWire(client, payment.raw)
    await harness.solana.advance(EXPIRED_SECONDS)
    pool.forgets = true
    pool.isBehind = (method) => method === 'getSignatureStatuses'
    expect(await look(payment)).toBe('unknown')
  })

  it('is not called expired by one node of two', async () => {
    const payment = await signed()
    await sendWire(client, payment.raw)
    await harness.solana.advance(EXPIRED_SECONDS)
    pool.forgets = true
    let statuses = 0
    // The second of the two that look is whole.
    pool.isBehind = (method) => method !== 'getSignatureStatuses' || (statuses += 1) !== 3
    expect(await look(payment)).toBe('unknown')
    expect(statuses).toBe(3)
  })

  it('waits for the answer of another node where one has not seen the slot in question', async () => {
    const payment = await signed()
    await harness.solana.advance(EXPIRED_SECONDS)
    pool.lagSlots = 20
    pool.isBehind = (method) => method === 'getSignaturesForAddress'
    expect(await look(payment)).toBe('unknown')
    pool.isBehind = () => false
    expect(await look(payment)).toBe('expired')
  })

  it('is called missing, not expired, once nodes know of it from their histories only', async () => {
    const payment = await signed()
    await harness.solana.advance(EXPIRED_SECONDS + 50)
    expect(await look(payment)).toBe('missing')
  })
})
