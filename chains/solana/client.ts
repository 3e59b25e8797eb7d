import { Connection, type ConnectionConfig } from '@solana/web3.js'
import type { SolanaChain } from '../chain.js'
import { NodeError, TransportError } from './rpc.js'

/** A way to one Solana cluster's RPC. */
export interface SolanaClient {
  /** For reading. It opens no WebSocket, so its `confirmTransaction` would wait for ever: see `confirm.ts`. */
  connection: Connection
  /**
   * One JSON-RPC call without web3.js, which drops a refusal's code and data.
   * @throws NodeError, TransportError
   */
  call: (method: string, params: readonly unknown[]) => Promise<unknown>
}

/**
 * Opens a client for a chain; nothing is sent until it is asked. Connections are kept alive and shared (Node's fetch).
 * It never retries by itself.
 * @param options.timeoutMs how long one answer may take, its body included; 10 s by default
 */
export function createSolanaClient(
  { rpcUrl, commitment }: Pick<SolanaChain, 'rpcUrl' | 'commitment'>,
  options: { timeoutMs?: number } = {},
): SolanaClient {
  const timeoutMs = options.timeoutMs ?? 10_000
  const boundedFetch = async (_url: unknown, init?: { body?: unknown }): Promise<Response> =>
    new Response(await post(rpcUrl, String(init?.body ?? ''), timeoutMs))
  const connection = new Connection(rpcUrl, {
    commitment,
    disableRetryOnRateLimit: true,
    httpAgent: false,
    fetch: boundedFetch as unknown as NonNullable<ConnectionConfig['fetch']>,
  })
  return {
    connection,
    call: async (method, params) => {
      const answer: unknown = JSON.parse(
        await post(rpcUrl, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), timeoutMs),
      )
      const { error, result } = answer as {
        error?: { code: number; message: string; data?: unknown }
        result?: unknown
      }
      if (error) throw new NodeError(error.code, error.message, error.data)
      return result
    },
  }
}

/** Sends one body and gives the answer's text, which is JSON. */
async function post(url: string, body: string, timeoutMs: number): Promise<string> {
  const { response, text } = await exchange(url, body, timeoutMs)
  if (!response.ok) throw new TransportError('unavailable', isTurnedAway(response.status), `HTTP ${response.status}`)
  try {
    JSON.parse(text)
  } catch {
    throw new TransportError('unavailable', false, 'the answer is not JSON')
  }
  return text
}

async function exchange(url: string, body: string, timeoutMs: number): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { response, text: await response.text() }
  } catch (error) {
    throw transportError(error)
  }
}

/** Rate limited or not allowed: such an answer comes before any work is done. Others may come after it. */
function isTurnedAway(status: number): boolean {
  return (status >= 400 && status < 500) || status === 503
}

/** Errors of a connection that never stood. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

function transportError(error: unknown): TransportError {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new TransportError('timeout', false, 'no answer in time')
  }
  const { code } = ((error as { cause?: unknown }).cause ?? {}) as { code?: unknown }
  return new TransportError('unavailable', typeof code === 'string' && NEVER_CONNECTED.has(code), 'no connection')
}
