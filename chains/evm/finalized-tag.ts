import { hexToBigInt, isHex } from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { RpcAnswer, RpcError } from '../nodes/json-rpc.js'
import type { NodePool } from '../nodes/node-pool.js'
import type { EvmClient } from './client.js'
import { FINALIZED } from './node-rules.js'

/** Asks a node for the newest block that is final. */
export const finalizedCall = { method: 'eth_getBlockByNumber', params: [FINALIZED, false] }

/** No such method, or no such parameter. */
const UNKNOWN_CODES: ReadonlySet<number> = new Set([-32601, -32602])

/**
 * What nodes say that do not know the tag. geth before it knew it: "hex string without 0x prefix"; geth of a chain without proof of
 * stake: "'finalized' tag not supported on pre-merge network"; others: "invalid block number", "parsing "finalized": invalid syntax",
 * "unsupported block tag".
 */
const UNKNOWN_TAG =
  /\btag\b.*(not supported|unsupported|unknown|invalid)|(unsupported|unknown|invalid).*\btag\b|without 0x prefix|invalid (block number|syntax)/i

/**
 * A node that has the tag, and no block for it just now, says one of these, of whatever code: geth "finalized block not found", Besu
 * "Unknown block", Erigon "block "finalized" not available".
 */
const NO_BLOCK_NOW = /not (found|available)|unknown block\b(?! ?tag)|missing|timeout|too many|limit/i

/** Chains whose nodes have shown a final block in this process. */
const served = new WeakSet<NodePool>()

/**
 * The height up to which a chain is final by its nodes' own word.
 * @param answer to `finalizedCall`
 * @returns undefined where the nodes do not know the tag, and none of them ever did. To count blocks in its place anywhere else would
 *   make blocks final that may leave the chain still, and what is done about a final block is done for good.
 * @throws AppError `confirm_rpc_unavailable` where a node does not tell
 */
export function finalizedIn(client: EvmClient, answer: RpcAnswer | undefined): bigint | undefined {
  const { nodes } = client.transport
  const { number } = ((answer && 'result' in answer ? answer.result : undefined) ?? {}) as { number?: unknown }
  if (isHex(number)) {
    served.add(nodes)
    return hexToBigInt(number)
  }
  if (answer && 'error' in answer && isUnknownTag(answer.error) && !served.has(nodes)) return undefined
  throw new AppError('confirm_rpc_unavailable', { details: 'the node does not tell which block is final' })
}

function isUnknownTag({ code, message }: RpcError): boolean {
  if (UNKNOWN_TAG.test(message)) return true
  return UNKNOWN_CODES.has(code) && !NO_BLOCK_NOW.test(message)
}
