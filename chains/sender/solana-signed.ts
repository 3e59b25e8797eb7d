import type { SolanaChain } from '../chain.js'
import { readAbsence, type SignedAttempt } from '../solana/absence.js'
import { broadcast } from '../solana/broadcast.js'
import type { SolanaClient } from '../solana/client.js'
import { isKnown, readConfirmation } from '../solana/confirm.js'
import type { LandedTransaction } from '../solana/watch-statuses.js'
import type { Sendable } from './send-stored.js'
import type { SignedStatus } from './signed-status.js'

/**
 * How the chain takes what somebody else has signed, for `sendStored`. All throw AppError confirm_rpc_unavailable.
 * @param attempt the same transaction, as the chain knows it; asked for only where a node calls it expired
 */
export function sendableSolana(
  client: SolanaClient,
  signed: { raw: string; signature: string },
  attempt: () => Promise<SignedAttempt>,
): Sendable {
  return {
    isKnown: () => isKnown(client, signed.signature),
    send: async () => (await broadcast(client, signed, async () => readAbsence(client, await attempt()))).kind,
  }
}

/**
 * Looks once where a transaction of somebody else is.
 * @param seen what a watch has shown of it already
 * @throws AppError confirm_rpc_unavailable
 */
export async function retrieveSolana(
  client: SolanaClient,
  chain: SolanaChain,
  attempt: SignedAttempt,
  seen: LandedTransaction | undefined,
): Promise<SignedStatus<object>> {
  const { state } = seen ?? (await readConfirmation(client, chain, attempt))
  switch (state) {
    case 'unknown':
      return { kind: 'unknown' }
    case 'confirming':
      return { kind: 'waiting' }
    case 'expired':
    case 'missing':
      // The payer's wallet signs again, not we: what only nodes' histories tell is enough, and it is looked for later.
      return {
        kind: 'failed',
        code: 'transaction_dropped',
        message: 'The blockhash expired before the transaction was in a block.',
      }
    case 'failed':
      return { kind: 'failed', code: 'transaction_reverted', message: 'The transaction failed on chain.' }
    case 'confirmed':
      return { kind: 'landed', hash: attempt.signature }
  }
}
