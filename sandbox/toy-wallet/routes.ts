import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { projectRoot } from '../../kernel/root.js'
import type { ToyWalletKey } from '../sandbox.js'

/** What a wallet asks a node; nothing by which the chain itself could be changed. */
const METHODS: ReadonlySet<string> = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_estimateGas',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_sendRawTransaction',
])
const TIMEOUT_MS = 10_000

export const TOY_WALLET_SCRIPT = '/sandbox/toy-wallet.js'

/**
 * Serves the toy wallet of the sandbox's payment page: its script, its throw-away key, and a way to the sandbox's node that a
 * page may use.
 */
export function mountToyWallet(app: FastifyInstance, { privateKey, chainId, rpcUrl }: ToyWalletKey): void {
  const script = readFileSync(join(projectRoot, 'dist', 'toy-wallet', 'toy-wallet.js'))
  app.get(TOY_WALLET_SCRIPT, (_request, reply) => reply.type('text/javascript; charset=utf-8').send(script))
  app.get('/sandbox/wallet', () => ({ privateKey, chainId }))
  app.post<{ Body: { method?: unknown; params?: unknown } | null }>('/sandbox/wallet/rpc', async (request, reply) => {
    const { method, params = [] } = request.body ?? {}
    if (typeof method !== 'string' || !METHODS.has(method)) {
      return reply.code(400).send({ error: { code: -32601, message: 'The toy wallet does not ask that.' } })
    }
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return reply.send(await answer.json())
  })
}
