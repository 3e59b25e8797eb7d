import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startDroppingProxy } from '../../test/harness/rpc-proxy.js'
import { readAbsence, type SignedAttempt } from './absence.js'
import { createSolanaClient, type SolanaClient } from './client.js'
import { isKnown, readConfirmation } from './confirm.js'
import { broadcast, sendWire } from './broadcast.js'
import { balanceOf, freshAddress, fund, signWire } from '../../test/harness/solana-side.js'
import { buildUsdc, startSolanaHarness } from '../../test/harness/solana.js'
import { deadUrl } from '../../test/harness/serve.js'
import { verifySigned } from './verify-signed.js'
import { refusal } from '../../test/harness/refusal.js'

function idOf(body: string): unknown {
  return (JSON.parse(body) as { id: unknown }).id
}

describe('relaying a signed Solana transaction and asking for it', async () => {
  const harness = await startSolanaHarness()

  const payment = async (amount = 5n, wallet = freshAddress()) => {
    const request = await buildUsdc(harness, [{ wallet, amount }])
    const { raw, signature } = verifySigned(request, signWire(harness.payer, request.serialized))
    const { lastValidBlockHeight, reference } = request
    return { raw, signature, wallet, attempt: { signature, lastValidBlockHeight, reference } }
  }
  const noAttempt = () => Promise.reject(new Error('no node called it expired'))
  const relayed = (client: SolanaClient, { raw, attempt }: { raw: string; attempt?: SignedAttempt }) =>
    broadcast(
      client,
      { raw, signature: attempt?.signature ?? '' },
      attempt ? () => readAbsence(client, attempt) : noAttempt,
    )
  const refusalOf = (client: SolanaClient, raw: string, attempt?: SignedAttempt) =>
    refusal(relayed(client, { raw, ...(attempt && { attempt }) }))
  const clientOf = (rpcUrl: string, timeoutMs = 2_000) =>
    createSolanaClient({ rpcUrl, commitment: 'confirmed' }, { timeoutMs })
  /** A node that answers every call the same. */
  const answering = async <T>(status: number, body: string, use: (client: SolanaClient) => Promise<T>): Promise<T> => {
    const server = createServer((_request, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      return await use(clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }
  const rpcError = (code: number, message: string, data?: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message, data } })

  it('pays once, however often the same bytes are sent', async () => {
    const { raw, signature, wallet, attempt } = await payment(5n)
    expect(await isKnown(harness.client, signature)).toBe(false)
    expect(await readConfirmation(harness.client, harness.chain, attempt)).toEqual({
      state: 'unknown',
    })
    expect(await Promise.all([relayed(harness.client, { raw }), relayed(harness.client, { raw })])).toEqual([
      { kind: 'sent' },
      { kind: 'sent' },
    ])
    expect(await relayed(harness.client, { raw })).toEqual({ kind: 'sent' })
    expect(await sendWire(harness.client, raw)).toEqual({ kind: 'processed' })
    expect(await isKnown(harness.client, signature)).toBe(true)
    expect(await balanceOf(harness, wallet)).toBe(5n)
  })

  it('cannot say whether a transaction arrived whose answer was lost; the chain can', async () => {
    const link = await startDroppingProxy(harness.solana.rpcUrl, 'sendTransaction')
    const { raw, attempt } = await payment()
    expect(await relayed(clientOf(link.url), { raw })).toEqual({ kind: 'unknown', reason: 'no connection' })
    expect(await readConfirmation(harness.client, harness.chain, attempt)).toMatchObject({
      state: 'confirmed',
    })
  })

  it('cannot say whether a transaction arrived that the node answers too late', async () => {
    const { raw } = await payment()
    const server = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 50)
    expect(await relayed(client, { raw })).toEqual({ kind: 'unknown', reason: 'no answer in time' })
    server.closeAllConnections()
    server.close()
  })

  it('says that the blockhash expired, and only then that the transaction never lands', async () => {
    const { raw, attempt } = await payment()
    const look = () => readConfirmation(harness.client, harness.chain, attempt)
    await harness.solana.advance(74)
    expect(await look()).toEqual({ state: 'unknown' })
    await harness.solana.advance(3)
    expect(await look()).toEqual({ state: 'expired' })
    expect((await refusalOf(harness.client, raw, attempt)).code).toBe('solana_blockhash_expired')
  })

  it('finds a payment that is older than the newest blocks of the node', async () => {
    const { raw, attempt } = await payment()
    await relayed(harness.client, { raw })
    await harness.solana.advance(86_400)
    expect(await readConfirmation(harness.client, harness.chain, attempt)).toMatchObject({
      state: 'confirmed',
    })
    // Its blockhash is long gone, yet nobody is told to sign another: it has paid.
    expect(await relayed(harness.client, { raw, attempt })).toEqual({ kind: 'sent' })
  })

  it('does not call a fresh blockhash expired because a node that is behind does not know it', async () => {
    const { raw, attempt } = await payment()
    const node = createServer((request, response) => {
      void text(request).then((body) => {
        const { method } = JSON.parse(body) as { method: string }
        const results: Record<string, unknown> = {
          getEpochInfo: { absoluteSlot: 1, blockHeight: 1 },
          getSignatureStatuses: { context: { slot: 1 }, value: [null] },
          getSignaturesForAddress: [],
        }
        const refused = rpcError(-32002, 'x', { err: 'BlockhashNotFound' })
        const answer = JSON.stringify({ jsonrpc: '2.0', id: idOf(body), result: results[method] ?? { value: false } })
        response.end(method === 'sendTransaction' ? refused : answer)
      })
    }).listen(0, '127.0.0.1')
    await once(node, 'listening')
    const client = clientOf(`http://127.0.0.1:${(node.address() as AddressInfo).port}`)
    expect(await relayed(client, { raw, attempt })).toMatchObject({ kind: 'unknown' })
    node.closeAllConnections()
    node.close()
  })

  it('sends nothing that would fail, and tells the cause', async () => {
    const payer = await fund(harness, { lamports: 1_000_000_000n, usdc: 10n })
    const from = { ...harness, payer }
    const [one, two] = [
      await buildUsdc(from, [{ wallet: freshAddress(), amount: 7n }]),
      await buildUsdc(from, [{ wallet: freshAddress(), amount: 8n }]),
    ]
    const first = verifySigned(one, signWire(payer, one.serialized))
    const second = verifySigned(two, signWire(payer, two.serialized))
    await relayed(harness.client, { raw: first.raw })
    const error = await refusalOf(harness.client, second.raw)
    expect(error.code).toBe('broadcast_simulation_failed')
    expect(error.details).toContain('Error processing Instruction 3: custom program error: 0x1')
    expect(error.details).toContain('insufficient funds')
    expect(await isKnown(harness.client, second.signature)).toBe(false)
  })

  it('tells a payer without SOL apart from a failing instruction', async () => {
    const nobody = Keypair.generate()
    const { blockhash, lastValidBlockHeight } = await harness.client.connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: nobody.publicKey, blockhash, lastValidBlockHeight })
    transaction.add(
      SystemProgram.transfer({ fromPubkey: nobody.publicKey, toPubkey: new PublicKey(freshAddress()), lamports: 1 }),
    )
    transaction.sign(nobody)
    const error = await refusalOf(harness.client, transaction.serialize().toString('base64'))
    expect([error.code, error.details]).toEqual([
      'broadcast_simulation_failed',
      expect.stringContaining('Attempt to debit an account but found no record of a prior credit. | "AccountNotFound"'),
    ])
  })

  it('knows a bad signature and bytes that are no transaction', async () => {
    const bytes = Buffer.from((await payment()).raw, 'base64')
    bytes[20] = (bytes[20] ?? 0) ^ 1
    expect(await sendWire(harness.client, bytes.toString('base64'))).toEqual({
      kind: 'bad_signature',
      details: 'Transaction signature verification failure',
    })
    expect(await sendWire(harness.client, Buffer.from('hello').toString('base64'))).toMatchObject({
      kind: 'refused',
      details: expect.stringContaining('failed to deserialize') as string,
    })
    expect((await refusalOf(harness.client, bytes.toString('base64'))).code).toBe('broadcast_rejected')
  })

  it.each([
    [429, 'Too Many Requests', 'HTTP 429'],
    [503, '<html>Service Unavailable</html>', 'HTTP 503'],
    [200, rpcError(-32005, 'Node is behind by 42 slots'), 'Node is behind by 42 slots'],
    [200, rpcError(-32016, 'Minimum context slot has not been reached'), 'Minimum context slot has not been reached'],
  ])('calls an RPC that answers %i %s unavailable: it took nothing', async (status, body, details) => {
    const { raw } = await payment()
    const error = await answering(status, body, (client) => refusalOf(client, raw))
    expect([error.code, error.details]).toEqual(['broadcast_rpc_unavailable', details])
  })

  it('calls an RPC that nobody listens at unavailable, without naming it', async () => {
    const error = await refusalOf(clientOf(`${await deadUrl()}/secret-key`), (await payment()).raw)
    expect([error.code, error.details]).toEqual(['broadcast_rpc_unavailable', 'no connection'])
    expect(JSON.stringify(error)).not.toContain('secret')
  })

  it.each([
    [200, '<html>hello</html>', 'the answer is not JSON'],
    [502, 'Bad Gateway', 'HTTP 502'],
    [502, rpcError(-32603, 'Internal error'), 'Internal error'],
    [504, rpcError(-32000, 'upstream request timeout'), 'upstream request timeout'],
    [200, rpcError(-32603, 'Internal error'), 'Internal error'],
    [200, rpcError(-32002, 'Transaction simulation failed'), 'Transaction simulation failed'],
    [200, rpcError(-32002, 'Transaction simulation failed', { err: null }), 'Transaction simulation failed'],
  ])('cannot say what a gateway did that answers %i %s', async (status, body, reason) => {
    const { raw } = await payment()
    expect(await answering(status, body, (client) => relayed(client, { raw }))).toEqual({ kind: 'unknown', reason })
  })

  it('says so where the chain cannot be asked about a transaction', async () => {
    const { signature, attempt } = await payment()
    for (const question of [
      (client: SolanaClient) => isKnown(client, signature),
      (client: SolanaClient) => readConfirmation(client, harness.chain, attempt),
    ]) {
      const error = await answering(503, '', (client) => question(client).catch((cause: unknown) => cause))
      expect(error).toMatchObject({ code: 'confirm_rpc_unavailable', details: 'HTTP 503' })
    }
  })

  it('tells a transaction that landed and failed from one that paid', async () => {
    const payer = await fund(harness, { lamports: 1_000_000_000n, usdc: 10n })
    const from = { ...harness, payer }
    const requests = [
      await buildUsdc(from, [{ wallet: freshAddress(), amount: 6n }]),
      await buildUsdc(from, [{ wallet: freshAddress(), amount: 6n }]),
    ]
    for (const request of requests) {
      // Past the node's simulation both land, and the second one finds too little.
      const raw = signWire(payer, request.serialized)
      await harness.client.call('sendTransaction', [raw, { encoding: 'base64', skipPreflight: true }])
    }
    const [paid, failed] = await Promise.all(
      requests.map((request) => {
        const { signature } = verifySigned(request, signWire(payer, request.serialized))
        return readConfirmation(harness.client, harness.chain, { ...request, signature })
      }),
    )
    expect([paid?.state, failed?.state]).toEqual(['confirmed', 'failed'])
    expect(failed).toMatchObject({ error: { InstructionError: [3, { Custom: 1 }] } })
  })
})
