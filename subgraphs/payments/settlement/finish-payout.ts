import type { Transaction } from '../../../kernel/database.js'
import { isPositive, subtract } from '../../../kernel/money.js'
import { feeCorrectionEntry, feeEntry, overpaymentEntry, payoutEntry } from '../model/ledger-entries.js'
import type { Alert } from '../store/alerts.js'
import type { Payment } from '../store/payment.entity.js'
import type { RecordedChange } from '../store/payments.js'
import type { SignedPayout } from '../store/payouts.js'
import type { Stores } from '../store/stores.js'
import { chargeSummary } from './charge-summary.js'
import { handleChargeback, type HandleChargebackDeps } from './handle-chargeback.js'
import type { TransactionStatus } from './payout-chain.js'
import { isWithheld } from './withhold-payouts.js'

/** What ending a payout needs. */
export type FinishPayoutDeps = HandleChargebackDeps & Pick<Stores, 'alerts' | 'charges' | 'payments'>

type Confirmed = Extract<TransactionStatus, { state: 'confirmed' }>
type Failed = Extract<TransactionStatus, { state: 'failed' }>

/** A payout that failed is tried again after a minute, then after twice as long each time, up to an hour. */
const RETRY_BASE_MS = 60_000
const RETRY_MAX_MS = 3_600_000

/** When the chain is first asked whether it still has a transaction that was called confirmed. */
const FOLLOW_AGAIN_MS = 5_000

/**
 * Writes down that a receiver was paid, with its ledger entries; with the last receiver the payment succeeds. A second
 * time it changes nothing. Where another transaction has paid the receiver before, an operator is told.
 */
export async function confirmPayout(deps: FinishPayoutDeps, landed: Confirmed): Promise<void> {
  const { transaction } = landed.signed
  const { tenantId, paymentId, splitIndex, chainName, hash } = transaction
  const alerts: Alert[] = []
  await deps.payments.change(tenantId, paymentId, async (payment, em): Promise<RecordedChange | undefined> => {
    const payouts = await deps.payouts.lockAll(em, payment)
    const payout = payouts.find((candidate) => candidate.splitIndex === splitIndex)
    if (!payout || (payout.state === 'confirmed' && payout.hash === hash)) return undefined
    const now = deps.clock.now()
    // What is in no block that could be dropped is final.
    const later = landed.block && { at: new Date(now.getTime() + FOLLOW_AGAIN_MS), block: landed.block }
    await deps.payouts.endAttempt(em, transaction, 'confirmed', later)
    const paid = { amount: payout.amount, currency: payout.symbol }
    const fees = isPositive(landed.fee.amount) ? [feeEntry(hash, chainName, landed.fee)] : []
    const about = { tenantId, paymentId, at: now }
    if (payout.state === 'confirmed' || payout.state === 'cancelled') {
      alerts.push({ kind: 'paid_twice', subject: paymentId, details: `${hash} paid receiver ${splitIndex} as well` })
      await deps.ledger.book(em, about, overpaymentEntry(hash, chainName, paid), ...fees)
      return undefined
    }
    payout.state = 'confirmed'
    payout.hash = hash
    payout.confirmedAt = now
    await deps.ledger.book(em, about, payoutEntry(splitIndex, chainName, paid), ...fees)
    const isLast = payouts.every((one) => one.state === 'confirmed' || isWithheld(one))
    if (!isLast || payment.status !== 'pending' || !payment.chargeId) return undefined
    const record = await deps.charges.load(em, { tenantId, id: payment.chargeId })
    const globalPaymentData = chargeSummary(record, payouts)
    const tidHash = payouts[0]?.hash ?? hash
    return { change: { status: 'success', tidHash, globalPaymentData }, cause: 'receivers_paid', notify: true }
  })
  for (const alert of alerts) await deps.alerts.raise(alert)
}

/**
 * Books what a payout's transaction has cost in the block that holds it now: a reorganisation gave it another one, or let
 * another version of it land. Booked again it changes nothing.
 * @param hashes of all versions of the transaction: the fee may have been booked for any of them
 */
export async function correctFee(
  deps: FinishPayoutDeps,
  hashes: readonly string[],
  { signed, fee }: Confirmed,
): Promise<void> {
  const { tenantId, paymentId, chainName, hash } = signed.transaction
  await deps.payments.change(tenantId, paymentId, async (_payment, em) => {
    const account = `treasury:${chainName}`
    const booked = await deps.ledger.feesOf(em, { tenantId, paymentId, hashes, account })
    const more = { amount: subtract(fee.amount, booked.fee), currency: fee.currency }
    if (more.amount === '0') return undefined
    const entry = feeCorrectionEntry(hash, booked.entries, chainName, more)
    await deps.ledger.book(em, { tenantId, paymentId, at: deps.clock.now() }, entry)
    return undefined
  })
}

/** Lets a payout whose transaction landed and moved nothing wait for another one; the gas is gone. */
export async function retryPayout(deps: FinishPayoutDeps, landed: Failed): Promise<void> {
  const { transaction } = landed.signed
  const { tenantId, paymentId, chainName, hash } = transaction
  const now = deps.clock.now()
  await deps.payments.change(tenantId, paymentId, async (payment, em) => {
    await deps.payouts.endAttempt(em, transaction, 'failed')
    await deps.payouts.waitAgain(em, transaction, retryAt(transaction.attempt, now))
    if (isPositive(landed.fee.amount)) {
      await deps.ledger.book(em, { tenantId, paymentId, at: now }, feeEntry(hash, chainName, landed.fee))
    }
    return stopIfChargedBack(deps, em, payment)
  })
  await deps.alerts.raise({
    kind: 'payout_failed',
    subject: paymentId,
    details: `${hash} moved nothing on ${chainName}`,
  })
}

/** When a transaction that was called dead is first looked at again. */
const RECHECK_MS = 30_000

/**
 * Lets a payout whose transaction can never land any more have another one at once. The dead one is looked at again later,
 * in case the nodes were wrong.
 */
export async function renewPayout(deps: FinishPayoutDeps, { transaction }: SignedPayout): Promise<void> {
  const now = deps.clock.now()
  await deps.payments.change(transaction.tenantId, transaction.paymentId, async (payment, em) => {
    await deps.payouts.endAttempt(em, transaction, 'void', { at: new Date(now.getTime() + RECHECK_MS) })
    await deps.payouts.waitAgain(em, transaction, now)
    return stopIfChargedBack(deps, em, payment)
  })
}

/**
 * Keeps a payout back whose transaction no node shows, while nobody can prove that it never landed: another one might pay
 * twice. It is looked at again later; until then an operator decides.
 */
export async function holdPayout(deps: FinishPayoutDeps, { transaction }: SignedPayout): Promise<void> {
  const { tenantId, paymentId, chainName, hash } = transaction
  const at = new Date(deps.clock.now().getTime() + RECHECK_MS)
  await deps.payments.change(tenantId, paymentId, async (payment, em) => {
    await deps.payouts.endAttempt(em, transaction, 'void', { at })
    await deps.payouts.hold(em, transaction)
    return stopIfChargedBack(deps, em, payment)
  })
  const details = `no node of ${chainName} shows ${hash}, and that it never landed can no longer be proven`
  await deps.alerts.raise({ kind: 'payout_held', subject: paymentId, details })
}

/** While the payout was on its way the payer's money may have been taken back: then it does not get another transaction. */
async function stopIfChargedBack(
  deps: FinishPayoutDeps,
  em: Transaction,
  payment: Payment,
): Promise<RecordedChange | undefined> {
  if (!payment.chargeId) return undefined
  const record = await deps.charges.load(em, { tenantId: payment.tenantId, id: payment.chargeId })
  const change = await handleChargeback(deps, em, payment, record)
  if (!change) return undefined
  const globalPaymentData = chargeSummary(record, await deps.payouts.lockAll(em, payment))
  return { change: { ...change, globalPaymentData }, cause: 'receipt_taken_back', notify: true }
}

/** When a payout is tried again after so many attempts. */
export function retryAt(attempt: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(RETRY_BASE_MS * 2 ** Math.max(attempt - 1, 0), RETRY_MAX_MS))
}
