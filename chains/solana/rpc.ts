import { SolanaJSONRPCError } from '@solana/web3.js'
import { askTwice, shortReason, type RpcPurpose } from '../ask.js'
import { TransportError } from '../nodes/json-rpc.js'
import { NOT_NOW_CODES } from './node-rules.js'

/** An error that a node answered, with what web3.js's own error classes drop. */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data: unknown) {
    super(shortReason(message))
    this.code = code
    this.data = data
  }
}

/** Why a call failed: the node refused it, or there is no (usable) answer. */
export type RpcFailure =
  | { kind: 'refused'; code: number; reason: string; data: unknown }
  | { kind: 'timeout' | 'unavailable'; isRefusal: boolean; reason: string }

/**
 * What a failed call means; the reason is short and holds no URL.
 * @returns undefined where the error did not come from the RPC
 */
export function rpcFailure(error: unknown): RpcFailure | undefined {
  if (error instanceof TransportError) {
    return { kind: error.kind, isRefusal: error.isRefusal, reason: error.message }
  }
  if (error instanceof NodeError || error instanceof SolanaJSONRPCError) {
    const code = Number(error.code)
    const reason = shortReason(error.message)
    if (NOT_NOW_CODES.has(code)) return { kind: 'unavailable', isRefusal: true, reason }
    const data: unknown = error.data
    return { kind: 'refused', code, reason, data }
  }
  return undefined
}

/**
 * Runs one reading call, once more where its connection broke or its answer was unusable; throws as `askTwice`. Web3.js
 * methods that put an error's text into a new error, as `getLatestBlockhash` and `getBalance` do, cannot be told apart
 * from a bug: use those that pass it on.
 */
export function ask<T>(purpose: RpcPurpose, call: () => Promise<T>): Promise<T> {
  return askTwice(purpose, call, rpcFailure, (failure) => failure.kind === 'unavailable' && !failure.isRefusal)
}
