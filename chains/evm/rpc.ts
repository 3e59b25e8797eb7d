import {
  AbiDecodingDataSizeTooSmallError,
  AbiDecodingZeroDataError,
  BaseError,
  BlockNotFoundError,
  ContractFunctionExecutionError,
  RpcRequestError,
} from 'viem'
import { askTwice, shortReason, type RpcPurpose } from '../ask.js'
import { transportErrorIn } from '../nodes/json-rpc.js'
import { missingCode } from './missing-code.js'
import { LIMIT_CODES } from './node-rules.js'

/**
 * Why an RPC call failed: the node answered with an error, or there is no (usable) answer. `isItsOwn`: what answered is behind, or garbled,
 * and behind the same address another may do better.
 */
export type RpcFailure =
  | { kind: 'refused'; code: number; reason: string }
  | { kind: 'unavailable'; answered: boolean; isItsOwn?: boolean; reason: string }
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
  if (!(answer instanceof RpcRequestError)) {
    const unread = whyUnread(error)
    return unread === undefined ? undefined : { kind: 'unavailable', answered: true, isItsOwn: true, reason: unread }
  }
  const reason = shortReason(answer.details)
  if (LIMIT_CODES.has(answer.code)) return { kind: 'unavailable', answered: true, reason }
  return { kind: 'refused', code: answer.code, reason }
}

/**
 * Why an answer that is no error cannot be taken: a block, or a contract's code, that another node has shown may be missing at the one that
 * answered, and the code may be missing at all of them. Undefined where it can be, or it is no answer's fault.
 */
function whyUnread(error: BaseError): string | undefined {
  const has = (kind: abstract new (...args: never[]) => Error): boolean =>
    error.walk((cause) => cause instanceof kind) !== null
  if (has(BlockNotFoundError)) return 'the node is behind'
  if (has(AbiDecodingDataSizeTooSmallError)) return 'an answer that cannot be read'
  if (!has(AbiDecodingZeroDataError)) return undefined
  const call = error.walk((cause) => cause instanceof ContractFunctionExecutionError)
  const address = call instanceof ContractFunctionExecutionError ? call.contractAddress : undefined
  return address === undefined ? 'an answer without a value' : missingCode(address)
}

/**
 * Runs one reading call, once more where the connection broke before any answer came, or another node may have another answer; throws as
 * `askTwice`.
 */
export function ask<T>(purpose: RpcPurpose, call: () => Promise<T>): Promise<T> {
  return askTwice(
    purpose,
    call,
    rpcFailure,
    (failure) => failure.kind === 'unavailable' && (!failure.answered || failure.isItsOwn === true),
  )
}
