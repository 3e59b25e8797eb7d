import type { Transaction } from '../../../kernel/database.js'
import type { LedgerEntry } from '../model/ledger-entries.js'
import type { Alert, AlertKind } from '../store/alerts.js'
import type { SignedBatch } from '../store/batches.js'
import type { ChargeRecord } from '../store/charge-records.js'
import type { BatchLeg, Payout, TreasuryTransaction } from '../store/payout.entity.js'
import type { Payment } from '../store/payment.entity.js'
import type { RecordedChange } from '../store/payment-changes.js'
import type { Stores } from '../store/stores.js'
import { isAwaiting } from '../store/payouts.js'
import { chargeSummary } from './charge-summary.js'
import { handleChargeback, type HandleChargebackDeps } from './handle-chargeback.js'
import { alertJob } from './alert-job.js'

/** What ending a batch needs. */
export type FinishBatchDeps = HandleChargebackDeps & Pick<Stores, 'alerts' | 'charges' | 'fees' | 'payments'>

/** A payment's legs of a batch, its payouts, and the transaction to write with; all locked. */
export interface PaymentLegs {
  em: Transaction
  payment: Payment
  /** What was charged for it; undefined where nothing was. */
  record: ChargeRecord | undefined
  /** Those whose outcome is open, unless all were asked for: what an earlier run has ended is left out. */
  legs: readonly BatchLeg[]
  /** All of the payment's, by split index. */
  payouts: readonly Payout[]
  /** Whether its tenant bears the gas. */
  bearsGas: boolean
  /** Booked with the change. */
  entries: LedgerEntry[]
  /** Told once the change is committed. */
  alerts: Alert[]
}

/** A payout of which nobody can prove what became of its transaction. */
export const UNPROVEN = { state: 'held', holdReason: 'unproven' } as const satisfies Partial<Payout>

/** A payout whose transaction an operator has cancelled. */
export const CANCELLED = { state: 'held', holdReason: 'cancelled' } as const satisfies Partial<Payout>

/** When a transaction that was called dropped is first looked at again. */
const RECHECK_MS = 30_000
/** Payments that are written down in one transaction: it holds their locks, and callbacks may wait for one. */
const PAYMENTS_AT_ONCE = 50

/**
 * Acts on a batch, some payments at a time, in transactions that give the legs their outcomes with what follows from it: a
 * run that dies in between is followed by one that does the rest. The batch itself is to be ended after it.
 * @param which of its legs `work` gets: those whose outcome is open, or all
 */
export async function forEachPayment(
  deps: FinishBatchDeps,
  { transaction, legs }: SignedBatch,
  work: (of: PaymentLegs) => Promise<RecordedChange | undefined>,
  which: 'open' | 'all' = 'open',
): Promise<void> {
  const payments = new Map(legs.map(({ leg: { tenantId, paymentId } }) => [paymentId, { tenantId, id: paymentId }]))
  const references = [...payments.values()]
  for (let start = 0; start < references.length; start += PAYMENTS_AT_ONCE) {
    const some = references.slice(start, start + PAYMENTS_AT_ONCE)
    await deps.payments.changeMany(some, async (locked, em) => {
      const alerts: Alert[] = []
      const loaded = await load(deps, em, { batchId: transaction.batchId, which }, locked)
      const changes = new Map<Payment, RecordedChange | undefined>()
      for (const of of loaded) changes.set(of.payment, await work({ ...of, alerts }))
      for (const alert of alerts) await deps.addJob(em, alertJob(alert))
      const at = deps.clock.now()
      const booked = loaded.filter(({ entries }) => entries.length > 0)
      await deps.ledger.bookAll(
        em,
        booked.map(({ payment: { tenantId, id: paymentId }, entries }) => ({
          about: { tenantId, paymentId, at },
          entries,
        })),
      )
      return changes
    })
  }
}

/** What there is of each payment that has a leg to be ended. */
async function load(
  deps: FinishBatchDeps,
  em: Transaction,
  { batchId, which }: { batchId: string; which: 'open' | 'all' },
  payments: readonly Payment[],
): Promise<Omit<PaymentLegs, 'alerts'>[]> {
  const ids = payments.map(({ id }) => id)
  const legs = Map.groupBy(await deps.payouts.lockLegs(em, batchId, ids, which), ({ paymentId }) => paymentId)
  const open = payments.filter(({ id }) => legs.has(id))
  if (open.length === 0) return []
  const payouts = Map.groupBy(await deps.payouts.lockOf(em, open), ({ paymentId }) => paymentId)
  const charges = open.flatMap(({ tenantId, chargeId }) => (chargeId ? [{ tenantId, id: chargeId }] : []))
  const records = await deps.charges.loadMany(em, charges)
  const bearers = await deps.fees.gasBearers(em, [...new Set(open.map(({ tenantId }) => tenantId))])
  return open.map((payment) => ({
    em,
    payment,
    record: records.get(payment.chargeId ?? ''),
    legs: legs.get(payment.id) ?? [],
    payouts: payouts.get(payment.id) ?? [],
    bearsGas: bearers.has(payment.tenantId),
    entries: [],
  }))
}

/** The payout of a leg, of those that are locked. */
export function payoutOf(payouts: readonly Payout[], { splitIndex }: BatchLeg): Payout | undefined {
  return payouts.find((payout) => payout.splitIndex === splitIndex)
}

/** Lets a payout wait for another transaction, because this one is known not to pay it. */
export function waitAgain(payout: Payout, notBefore: Date): void {
  payout.state = 'waiting'
  payout.notBefore = notBefore
  // What held it is over; an operator's word that a wallet may be paid holds on.
  if (payout.holdReason !== 'released') payout.holdReason = null
}

/**
 * Lets payouts whose batch can never land any more have another one at once; an operator's cancellation holds them. The dropped
 * one is looked at again later, in case the nodes were wrong.
 */
export async function renewBatch(deps: FinishBatchDeps, batch: SignedBatch): Promise<void> {
  const now = deps.clock.now()
  const isCancelled = batch.transaction.cancelledAt !== null
  await forEachPayment(deps, batch, async (of) => {
    for (const payout of endDropped(of)) {
      if (isCancelled) Object.assign(payout, CANCELLED)
      else waitAgain(payout, now)
    }
    return stopIfChargedBack(deps, of)
  })
  if (isCancelled) await tellOnce(deps, 'payout_held', batch.transaction, 'was cancelled and has not landed')
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
    for (const payout of endDropped(of)) Object.assign(payout, UNPROVEN)
    of.alerts.push({ kind: 'payout_held', subject: of.payment.id, details })
    return stopIfChargedBack(deps, of)
  })
  const at = new Date(deps.clock.now().getTime() + RECHECK_MS)
  await deps.payouts.endBatch(batch.transaction, 'unexpected', { at })
}

/** So many payments of a batch are named in an alert. */
const NAMED_MAX = 3

/** Tells an operator of a batch, the first time only: one alert, however many payments it pays and however often it is seen. */
export async function tellOnce(
  { alerts, payouts }: Pick<FinishBatchDeps, 'alerts' | 'payouts'>,
  kind: AlertKind,
  { batchId, chainName, hash }: TreasuryTransaction,
  reason: string,
): Promise<void> {
  const payments = await payouts.paymentsOf(batchId)
  const more = payments.length > NAMED_MAX ? ` and ${payments.length - NAMED_MAX} more` : ''
  const pays = payments.length === 0 ? 'pays nobody' : `pays ${payments.slice(0, NAMED_MAX).join(', ')}${more}`
  await alerts.raiseOnce({ kind, subject: batchId, details: `${hash} on ${chainName} ${reason}; it ${pays}` })
}

/** Calls the legs dropped, which is stored as `void`. Returns the payouts that waited for them. */
export function endDropped({ legs, payouts }: PaymentLegs): Payout[] {
  return legs.flatMap((leg) => {
    leg.outcome = 'void'
    const payout = payoutOf(payouts, leg)
    return payout && isAwaiting(payout, leg) ? [payout] : []
  })
}

/** While a payout was on its way the payer's money may have been taken back: then it does not get another transaction. */
export async function stopIfChargedBack(
  deps: HandleChargebackDeps,
  { em, payment, payouts, record }: Pick<PaymentLegs, 'em' | 'payment' | 'payouts' | 'record'>,
): Promise<RecordedChange | undefined> {
  if (!record) return undefined
  const change = await handleChargeback(deps, em, payment, record)
  if (!change) return undefined
  const globalPaymentData = chargeSummary(record, payouts)
  return { change: { ...change, globalPaymentData }, cause: 'receipt_taken_back', notify: true }
}
