import type { SignedBatch } from '../store/batches.js'
import type { InterventionResult } from '../store/interventions.js'
import { bookFailed, confirmBatch } from './confirm-batch.js'
import { stopIfChargedBack, waitAgain } from './finish-batch.js'
import { forEachHeld, isFound, isOpen } from './held-payouts.js'
import type { TransactionStatus } from './payout-chain.js'
import type { Treasury } from './treasury.js'

/**
 * Lets the payouts that are held because of a transaction have another one, where it is proven that the first can never land.
 * @param versions all of one transaction
 * @throws AppError `confirm_rpc_unavailable`, `provider_unavailable`, `provider_timeout`
 */
export async function retryTransaction(
  treasury: Treasury,
  versions: readonly SignedBatch[],
): Promise<InterventionResult> {
  const { deps, chain, port } = treasury
  const [first] = versions
  const problem = first ? problemOf(versions) : 'there is no such transaction'
  if (!first || problem !== undefined) return { state: 'refused', result: problem ?? '' }
  const unexpected = versions.find(({ transaction }) => transaction.state === 'unexpected')
  if (unexpected) {
    const transactions = versions.map(({ transaction }) => transaction)
    const [status] = await port.retrieve(chain, transactions, deps.payouts.withLegs)
    if (status?.state === 'confirmed') {
      await confirmBatch(deps, status)
      return { state: 'refused', result: `${status.signed.transaction.hash} has landed after all` }
    }
    if (status?.state === 'failed') await bookFailed(deps, status)
    if (!isProvenUnpaid(status)) return { state: 'refused', result: 'that it can never land cannot be proven now' }
  }
  const now = deps.clock.now()
  const again = await forEachHeld(
    deps,
    unexpected ?? first,
    ({ payout }) => waitAgain(payout, now),
    (of) => stopIfChargedBack(deps, of),
  )
  if (unexpected) await deps.payouts.endBatch(unexpected.transaction, 'void')
  return { state: 'done', result: `${again} payouts have left it for another transaction` }
}

/** Why none of its payouts may have another transaction, as far as the database tells; undefined where nothing is against it. */
function problemOf(versions: readonly SignedBatch[]): string | undefined {
  if (versions.some(isOpen)) return 'it may still land: cancel it first'
  if (versions.some(isFound))
    return 'it was found on the chain: resolve it, or release the payments that it has not paid'
  if (versions.some(({ transaction }) => transaction.state === 'confirmed')) {
    return 'it has landed: see on the chain what it did, and resolve it'
  }
  const isHolding = versions.some(({ transaction }) => transaction.cancelledAt || transaction.state === 'unexpected')
  return isHolding ? undefined : 'it is over, and its payouts do not wait for it'
}

/** What moved nothing in a final block, or whose place is taken for good, can never pay. */
function isProvenUnpaid(status: TransactionStatus | undefined): boolean {
  if (!status) return false
  if (status.state === 'unexpected') return status.isFinal
  return status.state === 'dropped' || status.state === 'failed'
}
