import type { SignedBatch } from '../store/batches.js'
import type { BatchLeg, Payout, TreasuryTransaction } from '../store/payout.entity.js'
import { isAwaiting } from '../store/payouts.js'
import { leaveUnpaid } from './end-leg.js'
import {
  forEachPayment,
  payoutOf,
  stopIfChargedBack,
  tellOnce,
  UNPROVEN,
  type FinishBatchDeps,
  type PaymentLegs,
} from './finish-batch.js'
import { settlePaymentJob } from './settlement-jobs.js'

/**
 * Lets those wait for another transaction whom batches have left out, once that is final. Before that a reorganisation could have
 * the same transaction pay them after another one had. Whom an operator's cancellation concerns is held. A second time it changes
 * nothing.
 */
export async function releaseUnpaid(deps: FinishBatchDeps, batches: readonly SignedBatch[]): Promise<void> {
  for (const batch of batches) {
    const { transaction } = batch
    const now = deps.clock.now()
    const left = await forEachUnpaid(deps, batch, ({ leg, payout }, of) =>
      leaveUnpaid({ transaction, hasReverted: true, now }, of, { leg, payout }),
    )
    if (left > 0) await tellHeld(deps, transaction)
  }
}

/** Tells once that an operator's cancellation holds those whom a transaction has left out for good. */
export async function tellHeld(deps: FinishBatchDeps, transaction: TreasuryTransaction): Promise<void> {
  if (transaction.cancelledAt === null) return
  await tellOnce(deps, 'payout_held', transaction, 'was cancelled and has left receivers out')
}

/**
 * Holds those whom a batch has left out in a block that was dropped since, where nobody can prove that nothing has paid them in its
 * place. A second time it changes nothing.
 */
export async function holdUnpaid(deps: FinishBatchDeps, batch: SignedBatch, reason: string): Promise<void> {
  const { hash, chainName } = batch.transaction
  await forEachUnpaid(deps, batch, ({ leg, payout }, { payment, alerts }) => {
    leg.outcome = 'unproven'
    Object.assign(payout, UNPROVEN)
    const details = `${hash} had left receiver ${leg.splitIndex} out, and is not on ${chainName} any more: it ${reason}`
    alerts.push({ kind: 'payout_held', subject: payment.id, details })
  })
}

/** Acts on those who were left out and wait for what becomes of that. Returns how many there were. */
async function forEachUnpaid(
  deps: FinishBatchDeps,
  { transaction, legs }: SignedBatch,
  work: (unpaid: { leg: BatchLeg; payout: Payout }, of: PaymentLegs) => void,
): Promise<number> {
  let count = 0
  await forEachPayment(
    deps,
    { transaction, legs: legs.filter(({ leg }) => leg.outcome === 'unpaid') },
    async (of) => {
      for (const leg of of.legs) {
        const payout = payoutOf(of.payouts, leg)
        if (leg.outcome !== 'unpaid' || !payout || !isAwaiting(payout, leg)) continue
        work({ leg, payout }, of)
        count += 1
      }
      await deps.addJob(of.em, settlePaymentJob(transaction.chainName, of.payment.id))
      return stopIfChargedBack(deps, of)
    },
    'all',
  )
  return count
}
