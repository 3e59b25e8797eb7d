import type { SignedBatch } from '../store/batches.js'
import type { BatchLeg } from '../store/payout.entity.js'
import { endLeg, endPayment, type ConfirmedBatch } from './end-leg.js'
import { forEachPayment, payoutOf, type FinishBatchDeps } from './finish-batch.js'
import type { LegResult } from './payout-chain.js'
import { holdUnpaid, releaseUnpaid } from './unpaid-legs.js'

/** What a transaction in a block does not tell of. */
export const UNKNOWN: LegResult = { outcome: 'unproven', reason: 'the transaction says nothing of it' }

/**
 * Writes down what a batch has done otherwise than in the block that had ended its legs, which was dropped since. Whom it has paid
 * after all is paid; where something else has paid him meanwhile, an operator is told, and the books have it. Who was left out and
 * of whom it proves nothing now is held. That it does not pay any more whom it had paid, an operator is told.
 * @param landed with the legs' outcomes as they were
 */
export async function endAnew(deps: FinishBatchDeps, landed: ConfirmedBatch): Promise<void> {
  const { transaction, legs } = landed.signed
  const resultOf = ({ position }: BatchLeg): LegResult => landed.results[position] ?? UNKNOWN
  const changed = legs.filter(({ leg }) => isOtherwise(leg, resultOf(leg)))
  await forEachPayment(
    deps,
    { transaction, legs: changed },
    (of) => {
      for (const leg of of.legs) {
        const result = resultOf(leg)
        if (!isOtherwise(leg, result)) continue
        endLeg(deps, landed, of, leg, result)
        if (result.outcome !== 'paid' && payoutOf(of.payouts, leg)?.state === 'held')
          of.alerts.push({ kind: 'payout_held', subject: of.payment.id, details: result.reason ?? '' })
      }
      return endPayment(deps, landed, of)
    },
    'all',
  )
  for (const { leg } of legs)
    if (leg.outcome === 'paid' && resultOf(leg).outcome !== 'paid')
      await tellUndone(deps, leg, `${transaction.hash}, and is not in the block that has it now`)
}

/** Whether a block says something else of a leg than what it was ended with, which changes what becomes of its payout. */
function isOtherwise(leg: BatchLeg, { outcome }: LegResult): boolean {
  if (leg.outcome === 'unpaid') return outcome !== 'unpaid'
  return leg.outcome === 'unproven' && outcome === 'paid'
}

/**
 * Ends what a block had ended that was dropped since, of a batch which pays nobody any more, for good. Nothing is guessed of those who
 * were told as paid: an operator is told. Who was left out may have another transaction where it is proven that nothing was paid
 * in place of this one, and is held where it is not.
 * @param signed with the legs' outcomes as they were
 */
export async function undoLegs(
  deps: FinishBatchDeps,
  signed: SignedBatch,
  { isProvenUnpaid, reason }: { isProvenUnpaid: boolean; reason: string },
): Promise<void> {
  const { hash, chainName } = signed.transaction
  for (const { leg } of signed.legs)
    if (leg.outcome === 'paid')
      await tellUndone(deps, leg, `${hash}, which pays nobody on ${chainName} any more: ${reason}`)
  if (isProvenUnpaid) await releaseUnpaid(deps, [signed])
  else await holdUnpaid(deps, signed, reason)
}

async function tellUndone({ alerts }: FinishBatchDeps, leg: BatchLeg, by: string): Promise<void> {
  const details = `receiver ${leg.splitIndex} was paid by ${by}`
  await alerts.raise({ kind: 'payment_undone', subject: leg.paymentId, details })
}
