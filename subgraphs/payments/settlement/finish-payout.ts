import type { Transaction } from '../../../kernel/database.js'
import { isPositive } from '../../../kernel/money.js'
import type { PaymentsDeps } from '../deps.js'
import { chargeSummary } from '../domain/charge-summary.js'
import { stopPayouts } from '../domain/stop-payouts.js'
import type { Payment } from '../store/payment.entity.js'
import type { SignedPayout } from '../store/payouts.js'
import type { RecordedChange } from '../store/payments.js'
import { feeEntry, payoutEntry } from './ledger-entries.js'
import type { Sighting } from './payout-chain.js'

type Landed = Extract<Sighting, { state: 'confirmed' | 'failed' }>

/** A payout that failed is tried again after a minute, then after twice as long each time, up to an hour. */
const RETRY_BASE_MS = 60_000
const RETRY_MAX_MS = 3_600_000

/**
 * Writes down that a receiver was paid, with its ledger entries; with the last receiver the payment succeeds. A second
 * time it changes nothing.
 */
export async function confirmPayout(deps: PaymentsDeps, landed: Landed): Promise<void> {
  const { transaction } = landed.signed
  const { tenantId, paymentId, leg, chainName, hash } = transaction
  await deps.payments.change(tenantId, paymentId, async (payment, em): Promise<RecordedChange | undefined> => {
    const payouts = await deps.payouts.lockAll(em, payment)
    const payout = payouts.find((candidate) => candidate.leg === leg)
    if (payout?.state !== 'sending') return undefined
    await deps.payouts.endAttempt(em, transaction, 'confirmed')
    payout.state = 'confirmed'
    payout.hash = hash
    payout.confirmedAt = deps.clock.now()
    const about = { tenantId, paymentId, at: payout.confirmedAt }
    const paid = payoutEntry(leg, chainName, { amount: payout.amount, currency: payout.symbol })
    const fees = isPositive(landed.fee.amount) ? [feeEntry(hash, chainName, landed.fee)] : []
    await deps.ledger.book(em, about, paid, ...fees)
    const isLast = payouts.every(({ state }) => state === 'confirmed')
    if (!isLast || payment.status !== 'pending' || !payment.chargeId) return undefined
    const record = await deps.charges.load(em, { tenantId, id: payment.chargeId })
    const globalPaymentData = chargeSummary(record, payouts)
    const tidHash = payouts[0]?.hash ?? hash
    return { change: { status: 'success', tidHash, globalPaymentData }, cause: 'receivers_paid', notify: true }
  })
}

/** Lets a payout whose transaction landed and moved nothing wait for another one; the gas is gone. */
export async function retryPayout(deps: PaymentsDeps, landed: Landed): Promise<void> {
  const { transaction } = landed.signed
  const { tenantId, paymentId, chainName, hash } = transaction
  const now = deps.clock.now()
  await deps.payments.change(tenantId, paymentId, async (payment, em) => {
    await deps.payouts.endAttempt(em, transaction, 'failed')
    await deps.payouts.waitAgain(em, transaction, retryAt(transaction.attempt, now))
    if (isPositive(landed.fee.amount)) {
      await deps.ledger.book(em, { tenantId, paymentId, at: now }, feeEntry(hash, chainName, landed.fee))
    }
    return stopIfTakenBack(deps, em, payment)
  })
  await deps.alerts.raise({
    kind: 'payout_failed',
    subject: paymentId,
    details: `${hash} moved nothing on ${chainName}`,
  })
}

/** Lets a payout whose transaction can never land any more have another one at once. */
export async function renewPayout(deps: PaymentsDeps, { transaction }: SignedPayout): Promise<void> {
  await deps.payments.change(transaction.tenantId, transaction.paymentId, async (payment, em) => {
    await deps.payouts.endAttempt(em, transaction, 'void')
    await deps.payouts.waitAgain(em, transaction, deps.clock.now())
    return stopIfTakenBack(deps, em, payment)
  })
}

/** While the payout was on its way the payer's money may have been taken back: then it does not get another transaction. */
async function stopIfTakenBack(
  deps: PaymentsDeps,
  em: Transaction,
  payment: Payment,
): Promise<RecordedChange | undefined> {
  if (!payment.chargeId) return undefined
  const record = await deps.charges.load(em, { tenantId: payment.tenantId, id: payment.chargeId })
  const change = await stopPayouts(deps, em, payment, record)
  if (!change) return undefined
  const globalPaymentData = chargeSummary(record, await deps.payouts.lockAll(em, payment))
  return { change: { ...change, globalPaymentData }, cause: 'receipt_taken_back', notify: true }
}

/** When a payout is tried again after so many attempts. */
export function retryAt(attempt: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(RETRY_BASE_MS * 2 ** Math.max(attempt - 1, 0), RETRY_MAX_MS))
}
