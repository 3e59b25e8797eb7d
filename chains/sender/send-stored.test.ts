import { keccak256, type Hex } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { freshAddress, startEvmHarness } from '../../test/harness/evm.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import { refusal } from '../../test/harness/refusal.js'
import { startRpcProxy } from '../../test/harness/rpc-proxy.js'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'
import { buildTransfer } from '../evm/build-transfer.js'
import { createEvmClient } from '../evm/client.js'
import { sendableEvm } from './evm-signed.js'
import { sendStored, type StoredTransaction } from './send-stored.js'

const harness = await startEvmHarness()
const proxy = await startRpcProxy(harness.chain.rpcUrl)
const client = createEvmClient({ ...harness.chain, rpcUrl: proxy.url })
beforeEach(() => {
  proxy.onCall = () => 'pass'
})

class Crash extends Error {}

/** What a process that dies leaves: the row. */
type Row = { raw: Hex; state: 'stored' | 'sent' | 'refused'; mayBeSent?: boolean }

async function storedRow(value = 5n): Promise<Row & { to: Hex }> {
  const { chain, payer, native } = harness
  const to = freshAddress()
  const from = payer.address
  const request = await buildTransfer({ chain, client: harness.client, from, to, asset: native, symbol: 'POL', amount: value }) // prettier-ignore
  return { raw: await signRequest(payer, request), state: 'stored', to }
}

/** The transaction as a process has it. @param dies the step that it dies at, and whether before or after it */
function stored(row: Row, dies?: { at: string; side: 'before' | 'after' }): StoredTransaction {
  const step =
    <Args extends unknown[], T>(name: string, work: (...args: Args) => Promise<T> | T) =>
    async (...args: Args): Promise<T> => {
      if (dies?.at === name && dies.side === 'before') throw new Crash(name)
      const result = await work(...args)
      if (dies?.at === name) throw new Crash(name)
      return result
    }
  const chain = sendableEvm(client, harness.chain, { hash: keccak256(row.raw), raw: row.raw })
  return {
    wasSent: row.state === 'sent',
    mayBeSent: row.mayBeSent === true,
    markDoubt: step('markDoubt', () => {
      row.mayBeSent = true
    }),
    isKnown: step('isKnown', chain.isKnown),
    send: step('send', chain.send),
    ...(chain.isMistaken && { isMistaken: step('isMistaken', chain.isMistaken) }),
    markSent: step('markSent', () => {
      row.state = 'sent'
    }),
    markRefused: step('markRefused', () => {
      row.state = 'refused'
    }),
  }
}

const received = (to: Hex) => harness.client.getBalance({ address: to })
const mined = (raw: Hex) => minedReceipt(harness.anvil, keccak256(raw))
/** A node that refuses what it is sent, or does not show what it has. */
const answers = (method: string, answer: object) => {
  proxy.onCall = (call) => (call.method === method ? { answer } : 'pass')
}
const refuses = (message: string) => answers('eth_sendRawTransaction', { error: { code: -32000, message } })

describe('a stored transaction', () => {
  for (const at of ['isKnown', 'send', 'markSent']) {
    for (const side of ['before', 'after'] as const) {
      it(`lands once where the process dies ${side} ${at}, and the next one begins anew`, async () => {
        const row = await storedRow()
        await expect(sendStored(stored(row, { at, side }))).rejects.toThrow(Crash)
        expect(await sendStored(stored(row))).toBe('sent')
        await mined(row.raw)
        expect(await sendStored(stored(row))).toBe('sent')
        expect(row.state).toBe('sent')
        expect(proxy.sendsOf(row.raw)).toBe(1)
        expect(await received(row.to)).toBe(5n)
      })
    }
  }

  it('stays to be sent where the answer is lost, and is not sent twice where it has arrived', async () => {
    const row = await storedRow()
    proxy.onCall = ({ method }) => (method === 'eth_sendRawTransaction' ? 'drop-answer' : 'pass')
    expect(await sendStored(stored(row))).toBe('unknown')
    expect(row.state).toBe('stored')
    await mined(row.raw)
    proxy.onCall = () => 'pass'
    expect(await sendStored(stored(row))).toBe('sent')
    expect(proxy.sendsOf(row.raw)).toBe(1)
  })

  it('is not refused any more where a process died with the answer to its first send', async () => {
    const row = await storedRow()
    await expect(sendStored(stored(row, { at: 'send', side: 'after' }))).rejects.toThrow(Crash)
    proxy.onCall = ({ method }) =>
      method === 'eth_sendRawTransaction'
        ? { answer: { error: { code: -32000, message: 'gas price below minimum' } } }
        : method === 'eth_getTransactionByHash'
          ? { answer: { result: null } }
          : 'pass'
    expect(await sendStored(stored(row))).toBe('unknown')
    expect(row.state).toBe('stored')
    proxy.onCall = () => 'pass'
    await mined(row.raw)
    expect(await received(row.to)).toBe(5n)
  })

  it('is refused once, in writing, where no node takes it', async () => {
    const row = await storedRow()
    refuses('intrinsic gas too low')
    expect((await refusal(sendStored(stored(row)))).code).toBe('broadcast_rejected')
    expect(row.state).toBe('refused')
  })

  it('stays as it was where the chain cannot be asked', async () => {
    const row = await storedRow()
    proxy.onCall = () => 'cut'
    expect((await refusal(sendStored(stored(row)))).code).toBe('confirm_rpc_unavailable')
    expect(row.state).toBe('stored')
    expect(proxy.sendsOf(row.raw)).toBe(0)
  })

  it('that has landed is not called refused by a node that is behind, where the chain contradicts it', async () => {
    const row = await storedRow()
    expect(await sendStored(stored(row))).toBe('sent')
    await mined(row.raw)
    row.state = 'stored'
    // Behind, it shows nothing; the bytes' own nonce is used up all the same.
    answers('eth_getTransactionByHash', { result: null })
    expect(await sendStored(stored(row))).toBe('sent')
    expect(row.state).toBe('sent')
  })
})

describe('a transaction that was sent before', () => {
  it('is sent again in the same bytes where a reorganisation has dropped it', async () => {
    const row = await storedRow()
    await sendStored(stored(row))
    await mined(row.raw)
    await harness.anvil.request({ method: 'anvil_reorg', params: [1, []] } as never)
    expect(await received(row.to)).toBe(0n)
    const before = proxy.sendsOf(row.raw)
    expect(await sendStored(stored(row))).toBe('sent')
    await mined(row.raw)
    expect(proxy.sendsOf(row.raw)).toBe(before + 1)
    expect(await received(row.to)).toBe(5n)
  })

  it.each(['insufficient funds for gas', 'intrinsic gas too low'])(
    'is not given up by a node that forgot it and now refuses it: %s',
    async (message) => {
      const row = await storedRow()
      await harness.anvil.setAutomine(false)
      await sendStored(stored(row))
      proxy.onCall = ({ method }) => {
        if (method === 'eth_getTransactionByHash') return { answer: { result: null } }
        return method === 'eth_sendRawTransaction' ? { answer: { error: { code: -32000, message } } } : 'pass'
      }
      expect(await sendStored(stored(row))).toBe('sent')
      expect(row.state).toBe('sent')
      await harness.anvil.mine({ blocks: 1 })
      await harness.anvil.setAutomine(true)
      expect(await received(row.to)).toBe(5n)
    },
  )

  it('ends where another transaction has taken its nonce, and the chain does not contradict that', async () => {
    const row = await storedRow(1n)
    const rival = await storedRow(2n)
    await sendStored(stored(rival))
    await mined(rival.raw)
    row.state = 'sent'
    expect((await refusal(sendStored(stored(row)))).code).toBe('stale_transaction_nonce')
    expect(row.state).toBe('refused')
  })
})
