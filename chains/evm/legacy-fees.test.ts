import { parseTransaction, recoverTransactionAddress, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { freshAddress, startEvmHarness } from '../../test/harness/evm.js'
import { serve } from '../../test/harness/serve.js'
import { broadcast } from './broadcast.js'
import { createEvmClient } from './client.js'
import { readFees } from './fees.js'
import { raiseFees } from './replace.js'
import { estimateCost, readNextNonce, signTransaction } from './signer.js'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'

/** A way to a node whose chain has no EIP-1559: its blocks have no base fee. */
async function startLegacyNode(rpcUrl: string): Promise<string> {
  const { url } = await serve((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      void fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
        async (answer) => {
          const text = (await answer.text()).replace(/"baseFeePerGas":"0x[0-9a-f]+",?/, '')
          const isUnknown = body.includes('eth_maxPriorityFeePerGas')
          const error = {
            jsonrpc: '2.0',
            id: (JSON.parse(body) as { id: number }).id,
            error: { code: -32601, message: 'no' },
          }
          response.setHeader('content-type', 'application/json').end(isUnknown ? JSON.stringify(error) : text)
        },
      )
    })
  })
  return url
}

describe('a chain without EIP-1559', async () => {
  const { anvil, operator, chain } = await startEvmHarness()
  const client = createEvmClient({ ...chain, rpcUrl: await startLegacyNode(chain.rpcUrl) })

  it('takes our transactions as legacy ones, at the price that the node suggests, and again at a higher one', async () => {
    const price = await anvil.getGasPrice()
    expect(await readFees(client)).toMatchObject({ maxFeePerGas: price, isLegacy: true })
    const dear = readFees(client, { name: 'polygon', gasPriceMaxGwei: '0' })
    await expect(dear).rejects.toMatchObject({ code: 'provider_unavailable' })
    const call = { to: freshAddress(), data: '0x', value: 7n } as const
    const cost = await estimateCost(client, operator.address, call)
    const nonce = await readNextNonce(client, operator.address)
    const signed = await signTransaction(operator, { ...call, ...cost, nonce, chainId: chain.chainId })
    const { type, gasPrice = 0n, chainId } = parseTransaction(signed.raw)
    expect({ type, gasPrice, chainId }).toEqual({ type: 'legacy', gasPrice: price, chainId: chain.chainId })
    const raised = await raiseFees(client, chain, operator, signed.raw, [])
    expect(parseTransaction(raised.raw)).toMatchObject({ type: 'legacy', nonce, value: 7n })
    expect(parseTransaction(raised.raw).gasPrice).toBeGreaterThanOrEqual((gasPrice * 5n) / 4n)
    expect(await senderOf(raised.raw)).toBe(operator.address)
    expect(await broadcast(client, raised.raw)).toEqual({ kind: 'sent' })
    await minedReceipt(anvil, raised.hash)
    expect(await client.getBalance({ address: call.to })).toBe(7n)
  })
})

const senderOf = (raw: Hex) => recoverTransactionAddress({ serializedTransaction: raw as `0xf8${string}` as never })
