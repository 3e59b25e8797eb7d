import type { EvmClient } from './client.js'
import { AppError } from '../../kernel/errors.js'

/** One JSON-RPC call. */
export interface RpcCall {
  method: string
  params: readonly unknown[]
}

/** A node's answer to one call of several; `error` where it refused this one. */
export type RpcAnswer = { result: unknown } | { error: { code: number; message: string } }

/**
 * Asks one node several things at once, in one HTTP request: behind an address with many nodes that is what makes the
 * answers those of one node. Answers are taken by their ids (viem's batches take them by position, whatever they answer).
 * @throws AppError `confirm_rpc_unavailable` where an answer is missing, doubled or nobody's
 */
export async function askTogether(client: EvmClient, calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const answers = await post(client, body).catch((error: unknown) => {
    // A kept-alive connection that the node has closed looks like this.
    if (error instanceof AppError) throw error
    return post(client, body).catch(() => Promise.reject(unavailable('no usable answer')))
  })
  const byId = new Map<unknown, RpcAnswer>()
  for (const answer of Array.isArray(answers) ? (answers as unknown[]) : []) {
    const { id, result, error } = (answer ?? {}) as Readonly<Record<string, unknown>>
    if (typeof id !== 'number' || byId.has(id)) throw unavailable('an answer that belongs to no call')
    byId.set(id, error ? { error: error as { code: number; message: string } } : { result })
  }
  return calls.map((_, id) => {
    const answer = byId.get(id)
    if (!answer) throw unavailable('a call without an answer')
    return answer
  })
}

async function post({ transport }: EvmClient, body: string): Promise<unknown> {
  const response = await fetch(transport.url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(transport.timeout ?? 10_000),
  })
  if (!response.ok) throw unavailable(`HTTP ${response.status}`)
  return response.json()
}

function unavailable(details: string): AppError {
  return new AppError('confirm_rpc_unavailable', { details })
}
