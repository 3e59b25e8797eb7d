import { hexToBigInt, isHex, numberToHex, type Hex } from 'viem'
import type { EvmChain } from '../chain.js'
import type { RpcAnswer } from '../nodes/json-rpc.js'
import { askTogether, numberOf } from './batch.js'
import type { EvmClient } from './client.js'

/** A node's own view of its chain, read in one request. */
export interface CanonicalView {
  /** The newest block that it has. */
  head: bigint
  /** The hash of the block that it has at each height that was asked for; undefined where it has none yet. */
  hashAt: (blockNumber: bigint) => Hex | undefined
}

/**
 * What one node has at some heights. A receipt, a count and a head of different nodes prove nothing together: one may be
 * behind, or on a branch that the others have left.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readCanonical(client: EvmClient, blockNumbers: readonly bigint[]): Promise<CanonicalView> {
  const [head, ...blocks] = await askTogether(client, [
    { method: 'eth_blockNumber', params: [] },
    ...blockNumbers.map(blockAt),
  ])
  return viewOf(numberOf(head), blockNumbers, blocks)
}

/** Where a chain's nodes have no `finalized` tag and the deployment says nothing: so many blocks make a block final. */
const FINAL_AFTER_BLOCKS = 128n

/**
 * What one node has at some heights, and up to which height its chain is final: by the chain's own count of blocks where
 * the deployment gives one, else by the node's `finalized` tag, else by 128 blocks.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readFinality(
  client: EvmClient,
  { finalityBlocks }: Pick<EvmChain, 'finalityBlocks'>,
  blockNumbers: readonly bigint[],
): Promise<CanonicalView & { final: bigint }> {
  const [head, finalized, ...blocks] = await askTogether(client, [
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_getBlockByNumber', params: ['finalized', false] },
    ...blockNumbers.map(blockAt),
  ])
  const view = viewOf(numberOf(head), blockNumbers, blocks)
  const tagged = finalityBlocks === undefined ? blockOf(finalized)?.number : undefined
  const final = tagged ?? view.head - BigInt(finalityBlocks ?? FINAL_AFTER_BLOCKS) + 1n
  return { ...view, final }
}

function blockAt(blockNumber: bigint): { method: string; params: unknown[] } {
  return { method: 'eth_getBlockByNumber', params: [numberToHex(blockNumber), false] }
}

function viewOf(head: bigint, blockNumbers: readonly bigint[], blocks: readonly RpcAnswer[]): CanonicalView {
  const hashes = new Map(blockNumbers.map((blockNumber, index) => [blockNumber, blockOf(blocks[index])?.hash]))
  return { head, hashAt: (blockNumber) => (blockNumber > head ? undefined : hashes.get(blockNumber)) }
}

function blockOf(answer: RpcAnswer | undefined): { number: bigint; hash: Hex } | undefined {
  if (!answer || !('result' in answer)) return undefined
  const { number, hash } = (answer.result ?? {}) as { number?: unknown; hash?: unknown }
  return isHex(number) && isHex(hash) ? { number: hexToBigInt(number), hash } : undefined
}
