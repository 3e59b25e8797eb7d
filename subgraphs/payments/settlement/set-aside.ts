import type { SignedBatch } from '../store/batches.js'
import { undoLegs } from './changed-legs.js'
import {
  endDropped,
  forEachPayment,
  stopIfChargedBack,
  tellOnce,
  UNPROVEN,
  type FinishBatchDeps,
} from './finish-batch.js'

/**
 * Keeps payouts back whose batch something else has taken the place of, for good. Nothing is guessed: the other transaction
 * may have paid them, or somebody else has the key.
 */
export async function setAside(deps: FinishBatchDeps, batch: SignedBatch, reason: string): Promise<void> {
  await forEachPayment(deps, batch, async (of) => {
    for (const payout of endDropped(of)) Object.assign(payout, UNPROVEN)
    return stopIfChargedBack(deps, of)
  })
  // A run that died may have ended some by a block that was dropped since.
  await undoLegs(deps, batch, { isProvenUnpaid: false, reason })
  await tellOnce(deps, 'payout_unexpected', batch.transaction, reason)
  await deps.payouts.endBatch(batch.transaction, 'unexpected')
}
