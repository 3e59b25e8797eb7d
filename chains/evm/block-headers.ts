import { hexToBigInt, isHex, numberToHex, type Hex } from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { RpcAnswer, RpcCall } from '../nodes/json-rpc.js'
import { askInParts, askTogether } from './batch.js'
import type { EvmClient } from './client.js'

/** A block as its chain is put together of them, and what it holds. */
export interface BlockHeader {
  number: bigint
  hash: Hex
  parentHash: Hex
  /** The hashes of its transactions, in lower case. */
  transactions: readonly Hex[]
}

/**
 * The newest block of a chain.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readNewestHeader(client: EvmClient): Promise<BlockHeader> {
  const [answer] = await askTogether(client, [blockAt('latest')])
  return headerOf(answer)
}

/**
 * The blocks from `newest` down to `oldest`, both included: of one node as far as one request goes, so that the caller has to
 * look at how their parents link them.
 * @throws AppError `confirm_rpc_unavailable`, also where the node does not have one of them
 */
export async function readHeaders(client: EvmClient, newest: bigint, oldest: bigint): Promise<BlockHeader[]> {
  const calls: RpcCall[] = []
  for (let number = newest; number >= oldest; number -= 1n) calls.push(blockAt(numberToHex(number)))
  return (await askInParts(client, calls)).flatMap(({ answers }) => answers).map(headerOf)
}

/** Asks for a block without its transactions. @param block a number as hex, or a tag */
export function blockAt(block: string): RpcCall {
  return { method: 'eth_getBlockByNumber', params: [block, false] }
}

function headerOf(answer: RpcAnswer | undefined): BlockHeader {
  const result = answer && 'result' in answer ? answer.result : undefined
  const { number, hash, parentHash, transactions } = (result ?? {}) as Readonly<Record<string, unknown>>
  if (!isHex(number) || !isHex(hash) || !isHex(parentHash) || !Array.isArray(transactions)) {
    throw new AppError('confirm_rpc_unavailable', { details: 'the node does not have a block' })
  }
  const hashes = (transactions as unknown[]).map((one) => String(one).toLowerCase() as Hex)
  return { number: hexToBigInt(number), hash, parentHash, transactions: hashes }
}
