import { keccak256, type Hex } from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { EvmClient } from './client.js'
import { isKnown } from './confirm.js'
import { ALREADY_SENT, isNoVerdict } from './node-rules.js'
import { rpcFailure } from './rpc.js'

/**
 * What became of a transaction that was sent; `wasKnown`: a node had it already. `unknown`: nobody can say yet, ask the chain by its hash;
 * `mayBeCheap`: the node has no room for it, which may be a matter of its fees.
 */
export type BroadcastResult = { kind: 'sent'; wasKnown?: true } | { kind: 'unknown'; reason: string; mayBeCheap?: true }

/** The nonce is used up, or another waiting transaction holds it. */
const NONCE_TAKEN = /nonce (is )?too low|OldNonce|replacement transaction underpriced|replacement not allowed/i

/**
 * The node keeps no more of this account, or of all, until some are mined: a matter of moments, and no verdict. reth says it also of one
 * that it has dropped from a full pool for offering the least (PoolErrorKind::DiscardedOnInsert).
 */
const POOL_FULL = /pool (is )?full|too many (pending|queued)|exceeds? (the )?(account )?(slots|limit) for/i

/**
 * Sends a signed transaction, once. Sending the same bytes again is harmless: the chain knows them by their hash.
 * @param raw canonical bytes, see `verifySigned`
 * @returns `sent` also where the chain has it already
 * @throws AppError `stale_transaction_nonce` (another transaction took its nonce), `broadcast_rejected` (`details` is the
 *   node's reason), `confirm_rpc_unavailable` where the nonce is taken and the RPC fails before it says by whom
 */
export async function broadcast(client: EvmClient, raw: Hex): Promise<BroadcastResult> {
  try {
    await client.request({ method: 'eth_sendRawTransaction', params: [raw] }, { retryCount: 0 })
    return { kind: 'sent' }
  } catch (error) {
    const failure = rpcFailure(error)
    if (!failure) throw error
    if (failure.kind !== 'refused') return { kind: 'unknown', reason: failure.reason }
    const { code, reason } = failure
    if (ALREADY_SENT.test(reason)) return { kind: 'sent', wasKnown: true }
    if (POOL_FULL.test(reason)) return { kind: 'unknown', reason, mayBeCheap: true }
    if (isNoVerdict({ code, message: reason })) return { kind: 'unknown', reason }
    if (!NONCE_TAKEN.test(reason)) throw new AppError('broadcast_rejected', { details: reason })
    if (await isKnown(client, keccak256(raw))) return { kind: 'sent', wasKnown: true }
    throw new AppError('stale_transaction_nonce', { details: reason })
  }
}
