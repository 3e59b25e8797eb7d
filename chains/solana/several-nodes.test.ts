import { randomBytes } from 'node:crypto'
import bs58 from 'bs58'
import { afterEach, describe, expect, it } from 'vitest'
import { startSolanaPool } from '../../chaos/nodes/solana-pool.js'
import { atEnd } from '../../test/harness/at-end.js'
import { startRpcProxy } from '../../test/harness/rpc-proxy.js'
import { freshAddress, signWire } from '../../test/harness/solana-side.js'
import { buildUsdc, startSolanaHarness } from '../../test/harness/solana.js'
import { readAbsence } from './absence.js'
import { sendWire } from './broadcast.js'
import { createSolanaClient, type SolanaClient } from './client.js'
import { isKnown, readConfirmation, verifyTransfer } from './confirm.js'
import { verifySigned } from './verify-signed.js'
import { lookByStatus } from './watch-statuses.js'

/** Longer than a blockhash lives (75 s), and shorter than the proof of an absence can be had. */
const EXPIRED_SECONDS = 80

describe('a Solana cluster with two nodes', { timeout: 60_000 }, async () => {
  const harness = await startSolanaHarness()
  const pool = await startSolanaPool({ rpcUrl: harness.solana.rpcUrl, nodes: 2 })
  atEnd(() => pool.close())
  const proxies = await Promise.all(pool.nodes.map(({ url }) => startRpcProxy(url)))
  afterEach(() => {
    for (const { faults } of pool.nodes) faults.clear()
    for (const proxy of proxies) proxy.onCall = () => 'pass'
  })

  const newClient = (): SolanaClient => {
    const [rpcUrl = '', ...rpcUrls] = proxies.map(({ url }) => url)
    return createSolanaClient({ rpcUrl, rpcUrls, commitment: 'confirmed' })
  }
  const signed = async () => {
    const shares = [{ wallet: freshAddress(), amount: 5n }]
    const request = await buildUsdc(harness, shares)
    const { raw, signature } = verifySigned(request, signWire(harness.payer, request.serialized))
    return { raw, signature, shares, attempt: { ...request, signature } }
  }

  it.each([
    ['loses what it is sent', 'swallow', {}],
    ['lags', 'lag', { slots: 20 }],
    ['limits its calls', 'limit', {}],
    ['answers a page of errors', 'error', { status: 502 }],
    ['has no transactions', 'forget', { slots: 1_000 }],
  ])('takes and shows a transaction though one %s', async (_what, kind, details) => {
    const client = newClient()
    pool.nodes[0]?.faults.begin({ kind, details })
    const { raw, signature, shares, attempt } = await signed()
    expect(await sendWire(client, raw)).toEqual({ kind: 'sent' })
    await expect.poll(() => isKnown(client, signature)).toBe(true)
    expect(await readConfirmation(client, harness.chain, attempt)).toMatchObject({ state: 'confirmed' })
    const { asset } = { asset: { kind: 'token', address: harness.chain.tokens['USDC']?.mint ?? '', decimals: 6 } } as const // prettier-ignore
    const expected = { from: harness.payer.publicKey.toBase58(), asset, shares, reference: attempt.reference }
    expect(await verifyTransfer(client, signature, expected)).toBe(true)
  })

  it.each([
    ['the first', 0],
    ['the second', 1],
  ])('is not called refused where %s may have sent it and the other refuses it', async (_what, sender) => {
    const answers = [
      { code: -32603, message: 'Internal error' },
      { code: -32002, message: 'Transaction simulation failed', data: { err: 'AccountNotFound' } },
    ]
    proxies.forEach((proxy, index) => {
      const error = answers[index === sender ? 0 : 1]
      proxy.onCall = ({ method }) => (method === 'sendTransaction' ? { answer: { error } } : 'pass')
    })
    const outcome = { kind: 'unknown', reason: 'Internal error', isRefused: true }
    expect(await sendWire(newClient(), (await signed()).raw)).toEqual(outcome)
  })

  it.each([
    ['gives no answer', 'cut'],
    ['takes no more calls', { answer: { error: { code: 429, message: 'Too many requests' } } }],
  ] as const)('is called expired by one alone only where the other %s for a minute', async (_what, fate) => {
    const [rpcUrl = '', ...rpcUrls] = proxies.map(({ url }) => url)
    let nowMs = 0
    const client = createSolanaClient({ rpcUrl, rpcUrls, commitment: 'confirmed' }, { nowMs: () => nowMs })
    const { attempt } = await signed()
    await harness.solana.advance(EXPIRED_SECONDS)
    if (proxies[1]) proxies[1].onCall = () => fate
    expect(await readAbsence(client, attempt)).toBe('open')
    const pass = async (seconds: number): Promise<void> => {
      nowMs += seconds * 1_000
      await harness.solana.advance(seconds)
    }
    await pass(59)
    expect(await readAbsence(client, attempt)).toBe('open')
    await pass(2)
    // By then the proof cannot be had any more; see `PROOF_SLOTS`.
    expect(await readAbsence(client, attempt)).toBe('likely')
  })

  it('is not asked by a node of another cluster', async () => {
    const [own, foreign] = proxies
    if (!own || !foreign) throw new Error('no nodes')
    foreign.onCall = ({ method }) => (method === 'getGenesisHash' ? { answer: { result: freshAddress() } } : 'pass')
    const client = newClient()
    await client.connection.getSlot()
    const before = foreign.calls.length
    expect(await isKnown(client, (await signed()).signature)).toBe(false)
    expect(foreign.calls.length).toBe(before)
  })

  it('is asked for 256 waiting transactions by one call, and for one by as many', async () => {
    const client = createSolanaClient({ rpcUrl: proxies[0]?.url ?? '', commitment: 'confirmed' })
    const look = lookByStatus(client, harness.chain)
    const { raw, signature } = await signed()
    await sendWire(client, raw)
    const others = Array.from({ length: 299 }, () => bs58.encode(randomBytes(64)))
    const callsOf = async (signatures: readonly string[]) => {
      const before = proxies[0]?.countOf('getSignatureStatuses') ?? 0
      expect([...(await look(signatures)).ended.keys()]).toEqual([signature])
      return (proxies[0]?.countOf('getSignatureStatuses') ?? 0) - before
    }
    expect(await callsOf([signature])).toBe(1)
    expect(await callsOf([signature, ...others.slice(0, 255)])).toBe(1)
    expect(await callsOf([signature, ...others])).toBe(2)
  })
})
