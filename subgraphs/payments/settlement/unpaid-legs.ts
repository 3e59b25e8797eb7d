import type { SignedBatch } from '../store/batches.js'
import { isAwaiting } from '../store/payouts.js'
import { endLeg, endPayment, tryAgain, type ConfirmedBatch } from './confirm-batch.js'
import { forEachPayment, payoutOf, stopIfChargedBack, type FinishBatchDeps } from './finish-batch.js'
import { settlePaymentJob } from './settlement-jobs.js'

/**
 * Lets those wait for another transaction whom batches have left out, once the batches' blocks are final. Before that a
 * reorganisation could have the same transaction pay them after another one had. A second time it changes nothing.
 */
export async function releaseUnpaid(deps: FinishBatchDeps, batches: readonly SignedBatch[]): Promise<void> {
  for (const { transaction, legs } of batches) {
    const unpaid = { transaction, legs: legs.filter(({ leg }) => leg.outcome === 'unpaid') }
    await forEachPayment(
      deps,
      unpaid,
      async (of) => {
        for (const leg of of.legs) {
          const payout = payoutOf(of.payouts, leg)
          if (leg.outcome === 'unpaid' && payout && isAwaiting(payout, leg)) tryAgain(payout, leg, deps.clock.now())
        }
        await deps.addJob(of.em, settlePaymentJob(transaction.chainName, of.payment.id))
        return stopIfChargedBack(deps, of)
      },
      'all',
    )
  }
}

/**
 * Writes down whom a batch has paid after all, in another block than the one that was written down. Where something else
 * has paid him meanwhile, an operator is told, and the books have it.
 */
export async function confirmPaidAfterAll(deps: FinishBatchDeps, landed: ConfirmedBatch): Promise<void> {
  const { transaction, legs } = landed.signed
  const isPaidNow = (position: number): boolean => landed.results[position]?.outcome === 'paid'
  const changed = legs.filter(({ leg }) => leg.outcome !== 'paid' && isPaidNow(leg.position))
  await forEachPayment(
    deps,
    { transaction, legs: changed },
    (of) => {
      for (const leg of of.legs)
        if (leg.outcome !== 'paid' && isPaidNow(leg.position)) endLeg(deps, landed, of, leg, { outcome: 'paid' })
      return endPayment(deps, landed, of)
    },
    'all',
  )
}
