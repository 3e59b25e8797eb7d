import { beforeEach, describe, expect, it } from 'vitest'
import { refusal } from '../../test/harness/refusal.js'
import { startRpcProxy, type RpcCall } from '../../test/harness/rpc-proxy.js'
import { balanceOf, freshAddress, signWire } from '../../test/harness/solana-side.js'
import { buildUsdc, startSolanaHarness } from '../../test/harness/solana.js'
import { createSolanaClient } from '../solana/client.js'
import { verifySigned } from '../solana/verify-signed.js'
import { sendStored } from './send-stored.js'
import { retrieveSolana, sendableSolana } from './solana-signed.js'

const harness = await startSolanaHarness()
const proxy = await startRpcProxy(harness.chain.rpcUrl)
const client = createSolanaClient({ rpcUrl: proxy.url, commitment: 'confirmed' })
beforeEach(() => {
  proxy.onCall = () => 'pass'
  proxy.calls.length = 0
})

const isSend = ({ method }: RpcCall) => method === 'sendTransaction'
const sends = () => proxy.calls.filter(isSend).length
/** A node that answers what it is sent so, and passes nothing on. */
const answersSends = (answer: object) => {
  proxy.onCall = (call) => (isSend(call) ? { answer } : 'pass')
}

/** A wallet's payment that is written down, and what becomes of its row. */
async function storedPayment() {
  const wallet = freshAddress()
  const request = await buildUsdc(harness, [{ wallet, amount: 5n }])
  const { raw, signature } = verifySigned(request, signWire(harness.payer, request.serialized))
  const attempt = { ...request, signature }
  const row = { state: 'stored', mayBeSent: false }
  const send = () =>
    sendStored({
      wasSent: row.state === 'sent',
      mayBeSent: row.mayBeSent,
      ...sendableSolana(client, { raw, signature }, () => Promise.resolve(attempt)),
      markSent: () => Promise.resolve(void (row.state = 'sent')),
      markDoubt: () => Promise.resolve(void (row.mayBeSent = true)),
      markRefused: () => Promise.resolve(void (row.state = 'refused')),
    })
  const retrieve = () => retrieveSolana(client, harness.chain, attempt, undefined)
  return { row, send, retrieve, signature, paid: () => balanceOf(harness, wallet) }
}

describe("a wallet's transaction on Solana", () => {
  it('is sent once, though the answer is lost, and has landed', async () => {
    const { row, send, retrieve, signature, paid } = await storedPayment()
    expect(await retrieve()).toEqual({ kind: 'unknown' })
    proxy.onCall = (call) => (isSend(call) ? 'drop-answer' : 'pass')
    expect(await send()).toBe('unknown')
    expect(row.state).toBe('stored')
    expect(await send()).toBe('sent')
    expect([row.state, sends()]).toEqual(['sent', 1])
    expect(await retrieve()).toEqual({ kind: 'landed', hash: signature })
    expect(await paid()).toBe(5n)
  })

  it('that a node took and lost is not given up because it would fail now, and lands when it is sent again', async () => {
    const { row, send, paid } = await storedPayment()
    answersSends({ result: 'taken' })
    expect(await send()).toBe('sent')
    const err = { InstructionError: [3, { Custom: 1 }] }
    answersSends({ error: { code: -32002, message: 'Transaction simulation failed', data: { err, logs: [] } } })
    expect(await send()).toBe('sent')
    expect(row.state).toBe('sent')
    proxy.onCall = () => 'pass'
    expect(await send()).toBe('sent')
    expect(await paid()).toBe(5n)
  })

  it('that a node may have taken is not given up because another would refuse it, and is sent once one takes it', async () => {
    const { row, send, paid } = await storedPayment()
    answersSends({ error: { code: -32603, message: 'Internal error' } })
    expect([await send(), row]).toEqual(['unknown', { state: 'stored', mayBeSent: true }])
    const err = { InstructionError: [3, { Custom: 1 }] }
    for (const error of [
      { code: -32002, message: 'Transaction simulation failed', data: { err, logs: [] } },
      { code: -32005, message: 'Node is behind' },
    ]) {
      answersSends({ error })
      expect([await send(), row.state]).toEqual(['unknown', 'stored'])
    }
    proxy.onCall = () => 'pass'
    expect([await send(), row.state]).toEqual(['sent', 'sent'])
    expect(await paid()).toBe(5n)
  })

  it('ends once it is proven that its blockhash is too old and that no block has it, not before', async () => {
    const { row, send, retrieve, paid } = await storedPayment()
    answersSends({ result: 'taken' })
    expect(await send()).toBe('sent')
    const err = 'BlockhashNotFound'
    answersSends({ error: { code: -32002, message: 'Blockhash not found', data: { err } } })
    // The node that says so is behind.
    expect(await send()).toBe('unknown')
    expect(row.state).toBe('sent')
    await harness.solana.advance(77)
    expect(await retrieve()).toMatchObject({ kind: 'failed', code: 'transaction_dropped' })
    expect((await refusal(send())).code).toBe('solana_blockhash_expired')
    expect(row.state).toBe('refused')
    expect(await paid()).toBe(0n)
  })

  it('that would fail is refused before it is sent, where no node has taken it', async () => {
    const { row, send } = await storedPayment()
    const err = { InstructionError: [3, { Custom: 1 }] }
    answersSends({ error: { code: -32002, message: 'Transaction simulation failed', data: { err, logs: [] } } })
    expect((await refusal(send())).code).toBe('broadcast_simulation_failed')
    expect(row.state).toBe('refused')
  })
})
