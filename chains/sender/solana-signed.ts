import type { SolanaChain } from '../chain.js'
import type { SignedAttempt } from '../solana/absence.js'
import type { SolanaClient } from '../solana/client.js'
import { readConfirmation } from '../solana/confirm.js'
import type { LandedTransaction } from '../solana/watch-statuses.js'
import type { SignedStatus } from './signed-status.js'

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
