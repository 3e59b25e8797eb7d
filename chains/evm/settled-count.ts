import { numberToHex, type Address } from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { EvmChain } from '../chain.js'
import { askTogether, numberOf } from './batch.js'
import { readCanonical } from './canonical.js'
import type { EvmClient } from './client.js'

/** Nodes keep the state of their newest 128 blocks; where a chain asks for more confirmations, these have to do. */
const DEPTH_MAX = 64

/**
 * How many transactions of an account the chain has, by a block with its confirmations. Who signs behind transactions that nobody
 * has written down needs more than a node's word: one count that is too high makes a gap of nonces that nothing fills, and all that
 * is signed later waits behind it. So two are asked, each for its chain too, and the lower count holds.
 * @returns the count, and the block that it is of
 * @throws AppError `confirm_rpc_unavailable`, also where a node is of another chain
 */
export async function readSettledCount(
  client: EvmClient,
  { chainId, confirmations }: Pick<EvmChain, 'chainId' | 'confirmations'>,
  account: Address,
): Promise<{ count: number; block: bigint }> {
  const { head } = await readCanonical(client, [])
  const block = head - BigInt(Math.min(confirmations, DEPTH_MAX)) + 1n
  if (block < 0n) return { count: 0, block: 0n }
  const calls = [
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getTransactionCount', params: [account, numberToHex(block)] },
  ]
  // One after the other: at the same moment both may be between two branches, and count what they have dropped.
  const looks = [await askTogether(client, calls, 0), await askTogether(client, calls, 1)]
  if (looks.some(([identity]) => numberOf(identity) !== BigInt(chainId))) {
    throw new AppError('confirm_rpc_unavailable', { details: 'a node of another chain' })
  }
  return { count: Math.min(...looks.map(([, count]) => Number(numberOf(count)))), block }
}
