import { isPositive, subtract } from '../../../kernel/money.js'
import { overpaymentEntry, payoutEntry } from '../model/ledger-entries.js'
import type { PayoutLeg } from '../store/batches.js'
import type { BatchLeg, Payout, TreasuryTransaction } from '../store/payout.entity.js'
import { isAwaiting } from '../store/payouts.js'
import type { RecordedChange } from '../store/payment-changes.js'
import { chargeSummary } from './charge-summary.js'
import {
  CANCELLED,
  payoutOf,
  stopIfChargedBack,
  UNPROVEN,
  waitAgain,
  type FinishBatchDeps,
  type PaymentLegs,
} from './finish-batch.js'
import type { LegResult, TransactionStatus } from './payout-chain.js'
import { retryAt } from './retry-at.js'
import { isWithheld } from './withhold-payouts.js'

export type ConfirmedBatch = Extract<TransactionStatus, { state: 'confirmed' }>
export type FailedBatch = Extract<TransactionStatus, { state: 'failed' }>

/** Gives a leg its outcome, and its payout what follows. */
export function endLeg(
  { clock }: FinishBatchDeps,
  landed: ConfirmedBatch | FailedBatch,
  of: PaymentLegs,
  leg: BatchLeg,
  { outcome, reason = '' }: LegResult,
): void {
  const { payment, payouts, alerts } = of
  const { transaction } = landed.signed
  const { cancelledAt } = transaction
  const payout = payoutOf(payouts, leg)
  leg.outcome = outcome
  if (!payout) return
  if (outcome === 'paid') {
    endPaid(transaction, of, { leg, payout }, clock.now())
    return
  }
  if (!isAwaiting(payout, leg)) return
  if (outcome !== 'unpaid') {
    Object.assign(payout, UNPROVEN)
    return
  }
  if (!mayBeDropped(landed)) {
    const hasReverted = landed.state === 'confirmed' || !landed.isFreed
    leaveUnpaid({ transaction, hasReverted, now: clock.now() }, of, { leg, payout })
    // What a cancellation holds is told of the whole transaction.
    if (cancelledAt === null) alerts.push({ kind: 'payout_failed', subject: payment.id, details: reason })
    return
  }
  // He is owed still, so that the alert is not closed meanwhile.
  payout.waitsFor = 'another_try'
  const next =
    cancelledAt === null ? 'then another transaction pays him by itself: do not pay him by hand' : 'and is held then'
  const details = `${reason}; receiver ${leg.splitIndex} waits until the block is final, ${next}`
  alerts.push({ kind: 'payout_failed', subject: payment.id, details })
}

/** Counts a payout as paid by its leg. What was paid before, or is not owed any more, is booked as what is too much. */
function endPaid(
  { hash, chainName }: TreasuryTransaction,
  { payment, entries, alerts }: PaymentLegs,
  { leg, payout }: PayoutLeg,
  now: Date,
): void {
  const { splitIndex } = leg
  const paid = { amount: leg.amount, currency: payout.symbol }
  if (payout.state === 'confirmed' || payout.state === 'cancelled') {
    const details = `${hash} paid receiver ${splitIndex} as well`
    alerts.push({ kind: 'paid_twice', subject: payment.id, details })
    entries.push(overpaymentEntry(hash, splitIndex, chainName, paid))
    return
  }
  Object.assign(payout, { state: 'confirmed', hash, confirmedAt: now } satisfies Partial<Payout>)
  entries.push(payoutEntry(splitIndex, chainName, { ...paid, amount: payout.amount }))
  bookExcess({ hash, chainName }, leg, payout, { payment, entries, alerts })
}

/** Whether its block may still lose its place to another, in which the transaction does something else. */
export const mayBeDropped = (landed: ConfirmedBatch | FailedBatch): boolean =>
  landed.state === 'confirmed' && (landed.block?.hash ?? null) !== null

/** So many transactions a receiver's code may make revert of which a node had said that they pay it: the treasury bears their gas. */
const REVERTED_MAX = 3

/** A transaction that is over for good. */
interface EndedUnpaid {
  transaction: TreasuryTransaction
  /** Whether it was to pay; it was not if it only freed its nonce. */
  hasReverted: boolean
  now: Date
}

/**
 * Lets a payout wait for another transaction that its leg of this one has not paid, for good. An operator's cancellation holds it, and so
 * does how often that has come to nothing: who lets it go then lets it have one more.
 */
export function leaveUnpaid(
  { transaction: { hash, cancelledAt }, hasReverted, now }: EndedUnpaid,
  { payment, alerts }: Pick<PaymentLegs, 'payment' | 'alerts'>,
  { leg, payout }: PayoutLeg,
): void {
  if (hasReverted) payout.revertedTries += 1
  if (cancelledAt !== null) {
    Object.assign(payout, CANCELLED)
    return
  }
  if (hasReverted && payout.revertedTries >= REVERTED_MAX) {
    Object.assign(payout, { state: 'held', holdReason: 'reverted' } satisfies Partial<Payout>)
    const tries = `${payout.revertedTries} transactions, the last of them ${hash}`
    const details = `${tries}, have not paid receiver ${leg.splitIndex}, whom a node had called good`
    alerts.push({ kind: 'payout_held', subject: payment.id, details })
    return
  }
  waitAgain(payout, retryAt(leg.attempt, now))
  payout.waitsFor = 'another_try'
}

/**
 * Books what a transaction has paid a receiver beyond what is left for him, and tells an operator: a refund was taken off the payout
 * after the transaction had been called dropped.
 */
export function bookExcess(
  { hash, chainName }: { hash: string; chainName: string },
  leg: BatchLeg,
  payout: Payout,
  { payment, entries, alerts }: Pick<PaymentLegs, 'payment' | 'entries' | 'alerts'>,
): void {
  const more = subtract(leg.amount, payout.amount)
  if (!isPositive(more)) return
  const details = `${hash} paid receiver ${leg.splitIndex} ${more} ${payout.symbol} that were refunded`
  alerts.push({ kind: 'paid_twice', subject: payment.id, details })
  entries.push(overpaymentEntry(hash, leg.splitIndex, chainName, { amount: more, currency: payout.symbol }))
}

/** The change by which a payment ends whose receivers are all paid, or whose money was taken back meanwhile. */
export function endPayment(
  deps: FinishBatchDeps,
  { signed }: ConfirmedBatch,
  of: PaymentLegs,
): Promise<RecordedChange | undefined> {
  const areAllPaid = of.payouts.every((one) => one.state === 'confirmed' || isWithheld(one))
  return areAllPaid ? Promise.resolve(successOf(signed.transaction.hash, of)) : stopIfChargedBack(deps, of)
}

/**
 * The change by which a payment succeeds whose receivers are all paid.
 * @param hash of the transaction that has paid the last of them; null where nobody knows it
 */
export function successOf(hash: string | null, { payment, payouts, record }: PaymentLegs): RecordedChange | undefined {
  if (payment.status !== 'pending' || !record) return undefined
  const globalPaymentData = chargeSummary(record, payouts)
  const tidHash = payouts[0]?.hash ?? hash
  return { change: { status: 'success', tidHash, globalPaymentData }, cause: 'receivers_paid', notify: true }
}
