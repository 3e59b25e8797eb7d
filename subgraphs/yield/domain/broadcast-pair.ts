import { AppError, type ErrorCode } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { YieldDeps } from '../deps.js'
import type { SignedTransaction } from './decode-signed.js'

/** A transaction is final 32 slots after its block; it has to get there, and the one after it too. */
const PAIR_BLOCKS_MIN = 50

/**
 * Sends nothing of two whose blockhash may be too old before the second's turn has come: the first alone would move the money out of a
 * strategy, and not into the other. What may be under way is not refused, nor what was built by another process, of which it is not known.
 * @throws AppError solana_blockhash_expired
 */
export async function assertPairLives(
  { broadcasts, chain }: Pick<YieldDeps, 'broadcasts' | 'chain'>,
  tenant: Tenant,
  [first, second]: readonly SignedTransaction[],
): Promise<void> {
  if (!first || !second || (await broadcasts.find(tenant.id, first.signature))) return
  const left = await chain.blocksLeft(second.blockhash)
  if (left === undefined || left >= PAIR_BLOCKS_MIN) return
  const mayHaveLanded = await chain.findSignature(first.signature).then(
    (status) => status !== undefined,
    () => true,
  )
  if (mayHaveLanded) return
  throw new AppError('solana_blockhash_expired', {
    message:
      'The blockhash is too old for two transactions one after the other; build them again and sign both at once.',
    details: `none of the two was sent; blocks left: ${Math.max(left, 0)}, needed: ${PAIR_BLOCKS_MIN}`,
  })
}

/** @param land returns the slot that a transaction landed in, given that of the one before it */
export async function inOrder(
  signed: readonly SignedTransaction[],
  land: (transaction: SignedTransaction, afterSlot: number | undefined) => Promise<number>,
): Promise<void> {
  const done: string[] = []
  let slot: number | undefined
  for (const transaction of signed) {
    try {
      slot = await land(transaction, slot)
    } catch (error) {
      throw withProgress(error, done, signed.length)
    }
    done.push(transaction.signature)
  }
}

/** What the second of two may fail by for good. By all else it was not sent yet, or may land still. */
const ENDS: readonly ErrorCode[] = [
  'solana_blockhash_expired',
  'broadcast_simulation_failed',
  'broadcast_rejected',
  'signed_transaction_missing',
  'confirm_transaction_failed',
]
const HALF_DONE =
  'The first of the two transactions has landed, and the second cannot. Do not build both again: of a rebalance, only deposit what the first has withdrawn.'
const HALF_WAY =
  'The first of the two transactions has landed, and the second is not known to have. Do not build both again: send the same two again in a while.'

/**
 * Of two, which one failed and what has landed before: the same two can be sent again, and only what is missing is. The message says it too
 * once the first has landed: what a code means elsewhere, to build it again, would then move the money out of its strategy twice.
 */
function withProgress(error: unknown, done: readonly string[], total: number): unknown {
  if (!(error instanceof AppError) || total === 1) return error
  const progress = `transaction ${done.length + 1} of ${total} failed; landed before it: ${done.join(', ') || 'none'}`
  const details = error.details === undefined ? progress : `${progress}; ${error.details}`
  const half = ENDS.includes(error.code) ? HALF_DONE : HALF_WAY
  return new AppError(error.code, { message: done.length > 0 ? half : error.message, details, cause: error.cause })
}
