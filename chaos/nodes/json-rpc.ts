import { forward, type HttpRequest } from '../http/exchange.js'

/** One JSON-RPC call. */
export interface RpcCall {
  jsonrpc: '2.0'
  id: unknown
  method: string
  params: readonly unknown[]
}

/** What a node says to a call. */
export type RpcOutcome = { result: unknown } | { error: { code: number; message: string; data?: unknown } }

/** A way to ask a node. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<RpcOutcome>

/** A way to ask a node where an error is not to be expected. */
export type AskForResult = (method: string, params: readonly unknown[]) => Promise<unknown>

/**
 * Reads a body as one call or a batch of calls.
 * @returns undefined where it is neither; a node is the one to say so
 */
export function readCalls(body: Buffer): RpcCall | RpcCall[] | undefined {
  try {
    const read: unknown = JSON.parse(body.toString())
    if (!Array.isArray(read)) return readCall(read)
    const calls = read.map(readCall)
    return calls.every((call) => call !== undefined) ? calls : undefined
  } catch {
    return undefined
  }
}

function readCall(value: unknown): RpcCall | undefined {
  const { id, method, params = [] } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof method === 'string' && Array.isArray(params) ? { jsonrpc: '2.0', id, method, params } : undefined
}

/** Asks the node behind a URL; rejects where it gives no answer. */
export function askAt(rpcUrl: string): Ask {
  return async (method, params) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const { body: answer } = await forward(rpcUrl, rpcRequest(body), { repeatable: true })
    return JSON.parse(answer.toString()) as RpcOutcome
  }
}

/** As `askAt`, for a result. @throws Error where the node answers an error */
export function resultAt(rpcUrl: string): AskForResult {
  const ask = askAt(rpcUrl)
  return async (method, params) => {
    const outcome = await ask(method, params)
    if ('error' in outcome) throw new Error(`${method}: ${outcome.error.message}`)
    return outcome.result
  }
}

/** A body as it is sent to a node. */
export function rpcRequest(body: Buffer): HttpRequest {
  return { method: 'POST', path: '/', headers: { 'content-type': 'application/json' }, body }
}

/** An outcome as the answer to one call. */
export function answerTo({ id }: RpcCall, outcome: RpcOutcome): object {
  return { jsonrpc: '2.0', id, ...('error' in outcome ? { error: outcome.error } : { result: outcome.result }) }
}
