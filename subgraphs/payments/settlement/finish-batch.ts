import type { Transaction } from '../../../kernel/database.js'
import { withConcurrency } from '../../../kernel/with-concurrency.js'
import type { Alert } from '../store/alerts.js'
import type { SignedBatch } from '../store/batches.js'
import type { BatchLeg, Payout } from '../store/payout.entity.js'
import type { Payment } from '../store/payment.entity.js'
import type { RecordedChange } from '../store/payments.js'
import type { Stores } from '../store/stores.js'
import { isAwaiting } from '../store/payouts.js'
import { chargeSummary } from './charge-summary.js'
import { handleChargeback, type HandleChargebackDeps } from './handle-chargeback.js'

/** What ending a batch needs. */
export type FinishBatchDeps = HandleChargebackDeps & Pick<Stores, 'alerts' | 'charges' | 'payments'>

/** A payment's legs of a batch, its payouts, and the transaction to write with; all locked. */
export interface PaymentLegs {
  em: Transaction
  payment: Payment
  /** Those whose outcome is open: what an earlier run has ended is left out. */
  legs: readonly BatchLeg[]
  /** All of the payment's, by split index. */
  payouts: readonly Payout[]
  /** Told once the change is committed. */
  alerts: Alert[]
}

/** When a transaction that was called dead is first looked at again. */
const RECHECK_MS = 30_000
/** Payments that are written down at once; each holds a connection, and requests need some too. */
const PAYMENTS_AT_ONCE = 4

/**
 * Acts on a batch, a payment at a time, each in a transaction of its own that gives the legs their outcomes: a run that dies
 * in between is followed by one that does the rest. The batch itself is to be ended after it.
 */
export async function forEachPayment(
  deps: FinishBatchDeps,
  { transaction, legs }: SignedBatch,
  work: (of: PaymentLegs) => Promise<RecordedChange | undefined>,
): Promise<void> {
  const byPayment = [...Map.groupBy(legs, ({ leg }) => leg.paymentId).values()]
  await withConcurrency(byPayment, PAYMENTS_AT_ONCE, async ([first]) => {
    if (!first) return
    const alerts: Alert[] = []
    const { tenantId, paymentId } = first.leg
    await deps.payments.change(tenantId, paymentId, async (payment, em) => {
      const open = await deps.payouts.lockLegs(em, transaction.batchId, payment)
      if (open.length === 0) return undefined
      const payouts = await deps.payouts.lockAll(em, payment)
      return work({ em, payment, legs: open, payouts, alerts })
    })
    for (const alert of alerts) await deps.alerts.raise(alert)
  })
}

/** The payout of a leg, of those that are locked. */
export function payoutOf(payouts: readonly Payout[], { splitIndex }: BatchLeg): Payout | undefined {
  return payouts.find((payout) => payout.splitIndex === splitIndex)
}

/** Lets a payout wait for another transaction, because this one is known not to pay it. */
export function waitAgain(payout: Payout, notBefore: Date): void {
  payout.state = 'waiting'
  payout.notBefore = notBefore
}

/**
 * Lets payouts whose batch can never land any more have another one at once. The dead one is looked at again later, in case
 * the nodes were wrong.
 */
export async function renewBatch(deps: FinishBatchDeps, batch: SignedBatch): Promise<void> {
  const now = deps.clock.now()
  await forEachPayment(deps, batch, async (of) => {
    for (const payout of endVoid(of)) waitAgain(payout, now)
    return stopIfChargedBack(deps, of)
  })
  await deps.payouts.endBatch(batch.transaction, 'void', { at: new Date(now.getTime() + RECHECK_MS) })
}

/**
 * Keeps payouts back whose batch no node shows, while nobody can prove that it never landed: another one might pay twice. It
 * is looked at again later; until then an operator decides.
 */
export async function holdBatch(deps: FinishBatchDeps, batch: SignedBatch): Promise<void> {
  const { chainName, hash } = batch.transaction
  const details = `no node of ${chainName} shows ${hash}, and that it never landed can no longer be proven`
  await forEachPayment(deps, batch, async (of) => {
    for (const payout of endVoid(of)) payout.state = 'held'
    of.alerts.push({ kind: 'payout_held', subject: of.payment.id, details })
    return stopIfChargedBack(deps, of)
  })
  await deps.payouts.endBatch(batch.transaction, 'void', { at: new Date(deps.clock.now().getTime() + RECHECK_MS) })
}

/** Calls the legs void. Returns the payouts that waited for them. */
function endVoid({ legs, payouts }: PaymentLegs): Payout[] {
  return legs.flatMap((leg) => {
    leg.outcome = 'void'
    const payout = payoutOf(payouts, leg)
    return payout && isAwaiting(payout, leg) ? [payout] : []
  })
}

/** While a payout was on its way the payer's money may have been taken back: then it does not get another transaction. */
export async function stopIfChargedBack(
  deps: FinishBatchDeps,
  { em, payment }: PaymentLegs,
): Promise<RecordedChange | undefined> {
  if (!payment.chargeId) return undefined
  const record = await deps.charges.load(em, { tenantId: payment.tenantId, id: payment.chargeId })
  const change = await handleChargeback(deps, em, payment, record)
  if (!change) return undefined
  const globalPaymentData = chargeSummary(record, await deps.payouts.lockAll(em, payment))
  return { change: { ...change, globalPaymentData }, cause: 'receipt_taken_back', notify: true }
}
