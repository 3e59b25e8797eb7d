import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { askTwice, shortReason, type RpcPurpose } from '../ask.js'

/** Why an RPC call failed: the node answered with an error, or there is no (usable) answer. */
export type RpcFailure =
  | { kind: 'refused'; code: number; reason: string }
  | { kind: 'unavailable'; answered: boolean; reason: string }
  | { kind: 'timeout'; reason: string }

/** Error codes by which hosted nodes say "too many requests" in JSON-RPC: not a verdict on the call. */
const LIMIT_CODES = new Set([-32005, -32097, 429])

/**
 * What a failed viem call means. The reason is short and holds no RPC URL: viem's own messages name it, and it may hold
 * an API key, so viem's errors must never travel further than here, not even as a `cause`.
 * @returns undefined where the error did not come from the RPC
 */
export function rpcFailure(error: unknown): RpcFailure | undefined {
  if (isTimeout(error)) return { kind: 'timeout', reason: 'no answer in time' }
  if (!(error instanceof BaseError)) return undefined
  const answer = error.walk((cause) => cause instanceof RpcRequestError)
  if (answer instanceof RpcRequestError) {
    const reason = shortReason(answer.details)
    if (LIMIT_CODES.has(answer.code)) return { kind: 'unavailable', answered: true, reason }
    return { kind: 'refused', code: answer.code, reason }
  }
  const transport = error.walk((cause) => cause instanceof HttpRequestError)
  if (!(transport instanceof HttpRequestError)) return undefined
  return {
    kind: 'unavailable',
    answered: transport.status !== undefined,
    reason: transport.status === undefined ? 'no connection' : `HTTP ${transport.status}`,
  }
}

function isTimeout(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TimeoutError || cause.name === 'TimeoutError') return true
  }
  return false
}

/** Runs one reading call, once more where the connection broke before any answer came; throws as `askTwice`. */
export function ask<T>(purpose: RpcPurpose, call: () => Promise<T>): Promise<T> {
  return askTwice(purpose, call, rpcFailure, (failure) => failure.kind === 'unavailable' && !failure.answered)
}
