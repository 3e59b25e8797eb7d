import {
  formatTransactionReceipt,
  numberToHex,
  type Hex,
  type RpcTransactionReceipt,
  type TransactionReceipt,
} from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { RpcAnswer } from '../nodes/json-rpc.js'
import { askInParts, askTogether } from './batch.js'
import type { BlockHeader } from './block-headers.js'
import type { EvmClient } from './client.js'

/** Old nodes do not have the method: -32601, or a text that says so. Asked again after a day. */
const METHOD_NOT_FOUND = -32601
const MISSING_METHOD = /method.*(not found|not exist|not available|not supported)|unsupported method/i
const ASK_AGAIN_MS = 24 * 3_600_000

/** Reads what a block did, as its chain's nodes allow it. */
type ReadBlockReceipts = (
  block: Pick<BlockHeader, 'number' | 'hash'>,
  hashes: readonly Hex[],
) => Promise<TransactionReceipt[]>

/**
 * Receipts of one block: all at once where the nodes have `eth_getBlockReceipts`, otherwise those asked for, in batches.
 * @param nowMs the time, in milliseconds
 * @returns what reads the receipts of `hashes`; it throws AppError `confirm_rpc_unavailable`, also where one is missing or
 *   belongs to another block
 */
export function blockReceipts(client: EvmClient, nowMs: () => number): ReadBlockReceipts {
  let withoutMethodUntil = -Infinity
  return async ({ number, hash }, hashes) => {
    if (nowMs() >= withoutMethodUntil) {
      const [answer] = await askTogether(client, [{ method: 'eth_getBlockReceipts', params: [numberToHex(number)] }])
      if (!isMethodMissing(answer)) return pick(resultOf(answer), hash, hashes)
      withoutMethodUntil = nowMs() + ASK_AGAIN_MS
    }
    return pick(await readReceipts(client, hashes), hash, hashes)
  }
}

/** The receipts of some transactions, in batches; null where the node has none. @throws AppError `confirm_rpc_unavailable` */
async function readReceipts(client: EvmClient, hashes: readonly Hex[]): Promise<unknown[]> {
  const parts = await askInParts(client, hashes.map(receiptOf))
  return parts.flatMap(({ answers }) => answers).map((answer) => ('result' in answer ? answer.result : null))
}

/** The call for one receipt. */
export function receiptOf(hash: Hex): { method: string; params: unknown[] } {
  return { method: 'eth_getTransactionReceipt', params: [hash] }
}

/** A node's receipt as viem has it; undefined where there is none. */
export function readReceipt(result: unknown): TransactionReceipt | undefined {
  return result === null || result === undefined ? undefined : formatTransactionReceipt(result as RpcTransactionReceipt)
}

function isMethodMissing(answer: RpcAnswer | undefined): boolean {
  if (!answer || !('error' in answer)) return false
  return answer.error.code === METHOD_NOT_FOUND || MISSING_METHOD.test(answer.error.message)
}

function resultOf(answer: RpcAnswer | undefined): unknown[] {
  const result = answer && 'result' in answer ? answer.result : undefined
  return Array.isArray(result) ? (result as unknown[]) : []
}

function pick(results: readonly unknown[], blockHash: Hex, hashes: readonly Hex[]): TransactionReceipt[] {
  const wanted = new Set(hashes)
  const found = results
    .filter((result) => wanted.has(hashIn(result)))
    .flatMap((result) => readReceipt(result) ?? [])
    .filter((receipt) => receipt.blockHash.toLowerCase() === blockHash.toLowerCase())
  if (found.length < wanted.size) {
    throw new AppError('confirm_rpc_unavailable', { details: 'the node does not show the receipts of a block' })
  }
  return found
}

function hashIn(result: unknown): Hex {
  const { transactionHash } = (result ?? {}) as { transactionHash?: unknown }
  return String(transactionHash).toLowerCase() as Hex
}
