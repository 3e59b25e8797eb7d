import type { RecordedChange } from '../store/payment-changes.js'
import type { SignedBatch } from '../store/batches.js'
import { FOUND } from '../store/foreign-holds.js'
import type { BatchLeg, Payout } from '../store/payout.entity.js'
import { forEachPayment, payoutOf, type FinishBatchDeps, type PaymentLegs } from './finish-batch.js'

/** Whether a transaction may still land as far as is known. */
export function isOpen({ transaction: { state } }: SignedBatch): boolean {
  return state === 'stored' || state === 'sent'
}

/**
 * Whether it was found on the chain, and never written down before it was sent: the database was restored. Neither its nonce is
 * known nor, where no node shows them, its bytes, so that nothing about it can be proven.
 */
export function isFound({ transaction: { batchId } }: SignedBatch): boolean {
  return batchId.startsWith(FOUND)
}

/**
 * Acts on the payouts that are held because of a batch, and on no others: a chargeback may hold them too. All of its
 * payments are gone through, and a second time none of its payouts is held any more.
 * @returns how many payouts there were
 */
export async function forEachHeld(
  deps: FinishBatchDeps,
  batch: SignedBatch,
  work: (held: { leg: BatchLeg; payout: Payout }, of: PaymentLegs) => void,
  then: (of: PaymentLegs) => Promise<RecordedChange | undefined>,
): Promise<number> {
  const { cancelledAt, state } = batch.transaction
  const holdsAll = cancelledAt !== null || state === 'unexpected'
  let count = 0
  await forEachPayment(
    deps,
    batch,
    (of) => {
      const held = of.legs.flatMap((leg) => {
        const payout = payoutOf(of.payouts, leg)
        if (payout?.state !== 'held' || payout.attempt !== leg.attempt) return []
        return holdsAll || leg.outcome === 'unproven' ? [{ leg, payout }] : []
      })
      for (const one of held) work(one, of)
      count += held.length
      return held.length > 0 ? then(of) : Promise.resolve(undefined)
    },
    'all',
  )
  return count
}
