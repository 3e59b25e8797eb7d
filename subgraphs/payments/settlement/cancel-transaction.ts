import type { SignedBatch } from '../store/batches.js'
import type { InterventionResult } from '../store/interventions.js'
import { sendVersion } from './follow-open.js'
import { isOpen } from './held-payouts.js'
import type { Treasury } from './treasury.js'

/**
 * Sees that a transaction which is in no block pays nobody, as far as that is still possible: by another one that moves nothing
 * and has its nonce, or by its expiry. Which of the two lands, the chain says; where it is not the payouts', they
 * are held.
 * @param versions all of one transaction
 * @throws AppError `confirm_rpc_unavailable`, `provider_unavailable`, `provider_timeout`
 */
export async function cancelTransaction(
  treasury: Treasury,
  versions: readonly SignedBatch[],
): Promise<InterventionResult> {
  const { deps, chain, port } = treasury
  const open = versions.filter(isOpen)
  const newest = open.at(-1)
  if (!newest) return { state: 'refused', result: 'it has come to its end, so that there is nothing to cancel' }
  const isSigned = newest.transaction.validUntil === null
  if (isSigned && !port.canSign) {
    return { state: 'refused', result: `it is of ${port.account}, for which this deployment does not sign any more` }
  }
  const transactions = open.map(({ transaction }) => transaction)
  const statuses = await port.retrieve(chain, transactions, deps.payouts.withLegs)
  if (!statuses.some((status) => 'transaction' in status)) {
    return { state: 'refused', result: 'its nonce is used up, or a block has it: what that has done will show' }
  }
  const { batchId } = newest.transaction
  const cancelledAt = newest.transaction.cancelledAt ?? deps.clock.now()
  await deps.interventions.markCancelled(batchId, cancelledAt)
  if (newest.transaction.validUntil !== null)
    return { state: 'done', result: 'it is not sent again, and its payouts are held once it has expired' }
  const { isFreed, free } = port.nonces
  if (!open.some(({ transaction }) => isFreed(transaction))) {
    const cancelled = { ...newest.transaction, cancelledAt }
    await sendVersion(treasury, cancelled, await free(chain, newest.transaction))
  }
  const result = 'another one that moves nothing has its nonce: where that lands, its payouts are held'
  return { state: 'done', result }
}
