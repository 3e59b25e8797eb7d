import { createPublicClient, http, type HttpTransport, type PublicClient } from 'viem'
import type { EvmChain } from '../chain.js'

/** A connection to one EVM chain's RPC. */
export type EvmClient = PublicClient<HttpTransport>

/**
 * Opens a client for a chain; nothing is sent until it is asked. Connections are kept alive and shared (Node's fetch).
 * It never retries by itself: `ask` in `rpc.ts` decides that, and what is sent must not be sent twice by accident.
 * @param options.timeoutMs how long one answer may take, its body included; 10 s by default
 */
export function createEvmClient(chain: EvmChain, options: { timeoutMs?: number | undefined } = {}): EvmClient {
  const timeoutMs = options.timeoutMs ?? 10_000
  return createPublicClient({
    // A cached block number would make confirmations look younger than they are.
    cacheTime: 0,
    transport: http(chain.rpcUrl, {
      retryCount: 0,
      timeout: timeoutMs,
      // viem's own timer stops at the headers (utils/rpc/http.ts), so a body that never ends would hang.
      fetchFn: (input, init) =>
        fetch(input, { ...init, redirect: 'error', signal: boundedSignal(timeoutMs, init?.signal) }),
    }),
  })
}

function boundedSignal(timeoutMs: number, signal: AbortSignal | null | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(timeoutMs)
  return signal ? AbortSignal.any([signal, deadline]) : deadline
}
