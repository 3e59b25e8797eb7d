import { describe, expect, it } from 'vitest'
import { createEvmClient } from '../../../chains/evm/client.js'
import { serve } from '../../../test/harness/serve.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { paidPayment } from '../fixtures/pix-payments.js'
import { retrieveOpen } from './evm-retrieve.js'

const CONFIRMATIONS = 12

const harness = await startSettlementHarness({ confirmations: CONFIRMATIONS })

interface RpcCall {
  id: number
  method: string
  params: unknown[]
}

/** A way to the node that notes what it is asked, and may not keep the state of older blocks, as pruned nodes do not. */
async function startNode(isPruned: boolean) {
  const asked: string[] = []
  const { url } = await serve((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const given = JSON.parse(Buffer.concat(chunks).toString()) as RpcCall | RpcCall[]
      void Promise.all([given].flat().map(answerTo)).then((answers) =>
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify(Array.isArray(given) ? answers : answers[0])),
      )
    })
  })
  const answerTo = async (call: RpcCall): Promise<unknown> => {
    asked.push(call.method)
    const isOld = call.method === 'eth_getTransactionCount' && String(call.params[1]).startsWith('0x')
    if (isPruned && isOld) return { jsonrpc: '2.0', id: call.id, error: { code: -32000, message: 'missing trie node' } }
    const body = JSON.stringify({ jsonrpc: '2.0', ...call })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(harness.chain.rpcUrl, { method: 'POST', headers, body })).json()
  }
  const { chain, deps, treasury: account } = harness
  const client = createEvmClient({ ...chain, rpcUrl: url })
  const retrieve = async () => {
    const open = (await deps.payouts.findOpen(chain.name, account)).map(({ transaction }) => transaction)
    asked.splice(0)
    return retrieveOpen({ client, chain, account, withLegs: deps.payouts.withLegs }, open)
  }
  return { asked, retrieve }
}

describe('what the treasury has sent', () => {
  it('costs no call of its own while it only waits for confirmations', async () => {
    const [node, pruned] = [await startNode(false), await startNode(true)]
    for (let payouts = 0; payouts < 3; payouts += 1) {
      const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
      await paidPayment(harness, { splitPaymentConfig })
    }
    await harness.anvil.mine({ blocks: CONFIRMATIONS - 4 })
    expect(await node.retrieve()).toEqual([])
    expect(node.asked).not.toContain('eth_getTransactionReceipt')
    expect(node.asked.length).toBeLessThanOrEqual(4)
    expect(await pruned.retrieve()).toEqual([])
    await harness.anvil.mine({ blocks: CONFIRMATIONS })
    for (const { retrieve } of [node, pruned]) {
      expect((await retrieve()).map(({ state }) => state)).toEqual(['confirmed', 'confirmed', 'confirmed'])
    }
  })
})
