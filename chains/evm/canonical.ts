import { isHex, numberToHex, type Hex } from 'viem'
import type { EvmChain } from '../chain.js'
import type { RpcAnswer } from '../nodes/json-rpc.js'
import { askInParts, numberOf, type AnsweredPart } from './batch.js'
import type { EvmClient } from './client.js'
import { finalizedCall, finalizedIn } from './finalized-tag.js'

/** A node's own view of its chain. */
export interface CanonicalView {
  /** The newest block that it has. */
  head: bigint
  /** The hash of the block that it has at each height that was asked for; undefined where it has none yet. */
  hashAt: (blockNumber: bigint) => Hex | undefined
}

const headCall = { method: 'eth_blockNumber', params: [] }

/**
 * What one node has at some heights. A receipt, a count and a head of different nodes prove nothing together: one may be
 * behind, or on a branch that the others have left. Where there are more heights than one request takes, each request has its own
 * head, and the lowest of them counts.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readCanonical(client: EvmClient, blockNumbers: readonly bigint[]): Promise<CanonicalView> {
  return viewOf(blockNumbers, await askInParts(client, blockNumbers.map(blockAt), [headCall]))
}

/**
 * The hashes that older blocks have on the branch of one that is known, by their numbers. Each request asks for that one too: a node that
 * does not show it may be behind, or on another branch, and nothing is taken from it.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function readAncestors(
  client: EvmClient,
  known: { number: bigint; hash: Hex },
  blockNumbers: readonly bigint[],
): Promise<Map<bigint, Hex>> {
  const parts = await askInParts(client, blockNumbers.map(blockAt), [blockAt(known.number)])
  const told = parts.flatMap(({ shared: [shown], answers }) =>
    answers.map((answer) => (hashOf(shown) === known.hash ? hashOf(answer) : undefined)),
  )
  const hashes = new Map<bigint, Hex>()
  for (const [index, blockNumber] of blockNumbers.entries()) {
    const hash = told[index]
    if (hash !== undefined) hashes.set(blockNumber, hash)
  }
  return hashes
}

/** Where a chain's nodes have no `finalized` tag and the deployment says nothing: so many blocks make a block final. */
const FINAL_AFTER_BLOCKS = 128

/**
 * What one node has at some heights, and up to which height its chain is final: by the chain's own count of blocks where
 * the deployment gives one, else by the node's `finalized` tag, else, where nodes do not know the tag, by 128 blocks.
 * @throws AppError `confirm_rpc_unavailable`, also where a node that should know which block is final does not tell
 */
export async function readFinality(
  client: EvmClient,
  { finalityBlocks }: Pick<EvmChain, 'finalityBlocks'>,
  blockNumbers: readonly bigint[],
): Promise<CanonicalView & { final: bigint }> {
  const shared = finalityBlocks === undefined ? [headCall, finalizedCall] : [headCall]
  const parts = await askInParts(client, blockNumbers.map(blockAt), shared)
  const view = viewOf(blockNumbers, parts)
  const byDepth = view.head - BigInt(finalityBlocks ?? FINAL_AFTER_BLOCKS) + 1n
  if (finalityBlocks !== undefined) return { ...view, final: byDepth }
  return { ...view, final: least(parts.map(({ shared: [, tagged] }) => finalizedIn(client, tagged) ?? byDepth)) }
}

function blockAt(blockNumber: bigint): { method: string; params: unknown[] } {
  return { method: 'eth_getBlockByNumber', params: [numberToHex(blockNumber), false] }
}

function viewOf(blockNumbers: readonly bigint[], parts: readonly AnsweredPart[]): CanonicalView {
  const head = least(parts.map(({ shared }) => numberOf(shared[0])))
  const blocks = parts.flatMap(({ answers }) => answers)
  const hashes = new Map(blockNumbers.map((blockNumber, index) => [blockNumber, hashOf(blocks[index])]))
  return { head, hashAt: (blockNumber) => (blockNumber > head ? undefined : hashes.get(blockNumber)) }
}

function hashOf(answer: RpcAnswer | undefined): Hex | undefined {
  if (!answer || !('result' in answer)) return undefined
  const { hash } = (answer.result ?? {}) as { hash?: unknown }
  return isHex(hash) ? hash : undefined
}

function least(numbers: readonly bigint[]): bigint {
  return numbers.reduce((low, number) => (number < low ? number : low))
}
