import { numberToHex, type Address, type Hex } from 'viem'
import type { EvmChain } from '../chain.js'
import type { RpcAnswer } from '../nodes/json-rpc.js'
import { askTogether, numberOf } from './batch.js'
import { blockAt } from './block-headers.js'
import { readCanonical } from './canonical.js'
import type { EvmClient } from './client.js'
import { findMined } from './find-mined.js'

/**
 * Whether it is proven that another transaction has used an account's nonce up, so that none of ours can land any more.
 * Proof is what one node says in one answer: it counts the nonce as used as many blocks ago as the chain asks for, and has a
 * receipt of none of ours; then the other transaction itself, unless nodes do not keep the counts that lead to it; and then
 * another node's word, as the first one's. A count of one node and a missing receipt of another prove nothing; nor do two
 * nodes without receipts that have a block and do not know its transactions by their hashes, as where they index anew.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function isNonceTaken(
  client: EvmClient,
  { confirmations }: Pick<EvmChain, 'confirmations'>,
  nonce: OurNonce,
): Promise<boolean> {
  const { head } = await readCanonical(client, [])
  return isNonceTakenAt(client, head - BigInt(confirmations) + 1n, nonce)
}

/** A nonce of an account of ours. */
export interface OurNonce {
  account: Address
  nonce: number
  /** Of all our transactions with this nonce. */
  hashes: readonly Hex[]
}

/** The same by a block; of a final one the proof holds for good. @throws AppError `confirm_rpc_unavailable` */
export async function isNonceTakenAt(client: EvmClient, settled: bigint, ours: OurNonce): Promise<boolean> {
  if (settled < 0n || !(await isSaid(client, settled, ours, 0))) return false
  const { kind, transaction } = await findMined(client, { from: ours.account, nonce: ours.nonce })
  const isAnother = kind === 'found' ? !ours.hashes.includes(transaction.hash) : kind === 'pruned'
  return isAnother && isSaid(client, settled, ours, 1)
}

/** Whether a node says so in one answer. */
async function isSaid(
  client: EvmClient,
  settled: bigint,
  { account, nonce, hashes }: OurNonce,
  look: number,
): Promise<boolean> {
  // A node answers a batch call by call, and may reorganise in between: what it says is of one chain where the block stays the same.
  const block = blockAt(numberToHex(settled))
  const calls = [
    block,
    { method: 'eth_getTransactionCount', params: [account, numberToHex(settled)] },
    ...hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    block,
  ]
  const [before, count, ...rest] = await askTogether(client, calls, look)
  const isOneChain = hashIn(before) !== undefined && hashIn(before) === hashIn(rest.at(-1))
  return isOneChain && numberOf(count) > nonce && rest.slice(0, -1).every(isMissing)
}

/** The hash of a block; undefined where the node does not have it. */
function hashIn(answer: RpcAnswer | undefined): string | undefined {
  if (!answer || !('result' in answer)) return undefined
  const { hash } = (answer.result ?? {}) as { hash?: unknown }
  return typeof hash === 'string' ? hash : undefined
}

function isMissing(answer: RpcAnswer): boolean {
  return 'result' in answer && answer.result === null
}
