import type { AccountTransaction } from '../../../../chains/sender/evm-account.js'

/** After the first claim for a receiver the next one waits so long, and each after it four times as long as the one before. */
const AGAIN_MS = 600_000
const TIMES = 4

/**
 * Whether what is kept for a receiver may be claimed now. Code of the receiver runs in a claim: it may agree while a node tries it and refuse
 * in its block, at our cost and as often as we try. So there are nine claims for a receiver of a payment in the first year at most, and one
 * at once after the receiver was unable to be paid for however long.
 * @param sent all claims for the receiver so far, the newest first
 */
export function mayClaimAgain(sent: readonly Pick<AccountTransaction, 'state' | 'createdAt'>[], now: Date): boolean {
  const [last] = sent
  // One that is on its way is kept there: sent again, or with higher fees.
  if (!last || last.state === 'stored') return true
  return now.getTime() - last.createdAt.getTime() >= AGAIN_MS * TIMES ** (sent.length - 1)
}
