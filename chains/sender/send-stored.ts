import { AppError } from '../../kernel/errors.js'

/** A signed transaction whose bytes are written down, as the one who holds its lock sends it. */
export interface StoredTransaction {
  /** Whether a node has taken these bytes before. */
  wasSent: boolean
  /** Whether one may have: an earlier answer left that open, see `markDoubt`. Left out: none did. */
  mayBeSent?: boolean
  /** Whether the chain shows it, waiting or in a block. */
  isKnown: () => Promise<boolean>
  /**
   * Hands the bytes in, once. `unknown`: nobody can say whether they arrived.
   * @throws AppError what a node has against it; `solana_blockhash_expired` only where it is proven that no block has it
   */
  send: () => Promise<'sent' | 'unknown'>
  /** Whether the chain shows that a node was wrong to refuse it. Left out: that cannot be told. */
  isMistaken?: (refusal: AppError) => Promise<boolean>
  /** Writes down that a node has taken it. Left out: the chain is asked instead, each time. */
  markSent?: () => Promise<void>
  /**
   * Writes down, before it is sent for the first time, that a node may have taken it: it is not refused any more then, short of a proof, as
   * what its signer signs in its place may land beside it. Left out: what is refused later is refused.
   */
  markDoubt?: () => Promise<void>
  /** Writes down that it was refused, and is not waited for. Left out: there is nothing to write. */
  markRefused?: (refusal: AppError) => Promise<void>
}

/** The part of it that the chain answers. */
export type Sendable = Pick<StoredTransaction, 'isKnown' | 'send' | 'isMistaken'>

/** Errors by which a node refuses the bytes themselves. All others only say that they could not be handed in now. */
const REFUSALS: readonly string[] = [
  'stale_transaction_nonce',
  'broadcast_rejected',
  'broadcast_simulation_failed',
  'solana_blockhash_expired',
  'signed_transaction_missing',
]

/** Whether an error is a node's refusal of the bytes themselves. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && REFUSALS.includes(error.code)
}

/** Refusals that say of a transaction which was sent before that it can never land. The others only say that it could not now. */
const ENDS: readonly string[] = ['stale_transaction_nonce', 'solana_blockhash_expired']

/**
 * Sends a stored transaction unless the chain has it. Call it under a lock of the transaction's, and again after a crash at any
 * line: the bytes are the same, so that they land once at most. What was taken before may land still, whatever a node says of
 * sending it again.
 * @returns `unknown` where nobody can say whether it arrived, now or at an earlier time: it stays to be sent
 * @throws AppError the refusal, after `markRefused`; or why it could not be handed in, with nothing written
 */
export async function sendStored(stored: StoredTransaction): Promise<'sent' | 'unknown'> {
  const outcome = (await stored.isKnown()) ? 'sent' : await handIn(stored)
  if (outcome === 'sent' && !stored.wasSent) await stored.markSent?.()
  return outcome
}

async function handIn(stored: StoredTransaction): Promise<'sent' | 'unknown'> {
  // Before it is sent: a process may die with the answer. Of this time's own answer the doubt says nothing.
  if (!stored.wasSent && !stored.mayBeSent) await stored.markDoubt?.()
  try {
    return await stored.send()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if ((stored.wasSent || stored.mayBeSent) && !ENDS.includes(error.code)) return stored.wasSent ? 'sent' : 'unknown'
    if (!isRefusal(error)) throw error
    if (await stored.isMistaken?.(error)) return 'sent'
    await stored.markRefused?.(error)
    throw error
  }
}
