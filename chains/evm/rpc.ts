import { AbiDecodingZeroDataError, BaseError, BlockNotFoundError, RpcRequestError } from 'viem'
import { askTwice, shortReason, type RpcPurpose } from '../ask.js'
import { transportErrorIn } from '../nodes/json-rpc.js'
import { LIMIT_CODES } from './node-rules.js'

/** Why an RPC call failed: the node answered with an error, or there is no (usable) answer. */
export type RpcFailure =
  | { kind: 'refused'; code: number; reason: string }
  | { kind: 'unavailable'; answered: boolean; reason: string }
  | { kind: 'timeout'; reason: string }

/**
 * What a failed viem call means. The reason is short and holds no RPC URL: viem's own messages name it, and it may hold
 * an API key, so viem's errors must never travel further than here, not even as a `cause`.
 * @returns undefined where the error did not come from the RPC
 */
export function rpcFailure(error: unknown): RpcFailure | undefined {
  const transport = transportErrorIn(error)
  if (transport?.kind === 'timeout') return { kind: 'timeout', reason: transport.message }
  if (transport) return { kind: 'unavailable', answered: transport.answered, reason: transport.message }
  if (!(error instanceof BaseError)) return undefined
  const answer = error.walk((cause) => cause instanceof RpcRequestError)
  if (!(answer instanceof RpcRequestError)) return isBehind(error) ? BEHIND : undefined
  const reason = shortReason(answer.details)
  if (LIMIT_CODES.has(answer.code)) return { kind: 'unavailable', answered: true, reason }
  return { kind: 'refused', code: answer.code, reason }
}

const BEHIND: RpcFailure = { kind: 'unavailable', answered: true, reason: 'the node is behind' }

/** A block, or a contract's code, that another node has shown is missing at the one that answered; viem knows no answer to that. */
function isBehind(error: BaseError): boolean {
  const isMissing = (cause: unknown) => cause instanceof BlockNotFoundError || cause instanceof AbiDecodingZeroDataError
  return error.walk(isMissing) !== null
}

/** Runs one reading call, once more where the connection broke before any answer came; throws as `askTwice`. */
export function ask<T>(purpose: RpcPurpose, call: () => Promise<T>): Promise<T> {
  return askTwice(purpose, call, rpcFailure, (failure) => failure.kind === 'unavailable' && !failure.answered)
}
