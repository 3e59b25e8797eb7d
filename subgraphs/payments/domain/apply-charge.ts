import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../../kernel/database.js'
import type { PaymentsDeps } from '../deps.js'
import type { ChargeView, Receipt, ReceiptReturn } from '../rails/charge-desk.js'
import {
  conversionEntry,
  disbursementEntry,
  receiptEntry,
  returnEntry,
  type LedgerEntry,
} from '../settlement/ledger-entries.js'
import { planPayouts } from '../settlement/plan-payout.js'
import { settlePaymentJob } from '../settlement/settlement-jobs.js'
import type { Charge, StoredReceipt, StoredReturn } from '../store/charge.entity.js'
import type { ChargeRecord } from '../store/charges.js'
import type { Payment, PaymentChange } from '../store/payment.entity.js'
import type { RecordedChange } from '../store/payments.js'
import { chargeEnd } from './charge-end.js'
import { alertJob, returnJob } from './charge-jobs.js'
import { chargeSummary } from './charge-summary.js'
import { isReturnOver, refusalOf, returnIdOf } from './judge-receipt.js'
import { paymentFailure } from './payment-failure.js'
import { stopPayouts } from './stop-payouts.js'
import { settlesInFiat } from './transaction-type.js'

/** A charge as the provider shows it, about to be applied under its payment's row lock. */
interface Application {
  deps: PaymentsDeps
  em: Transaction
  payment: Payment
  record: ChargeRecord
  view: ChargeView
  now: Date
  /** What happened, most important last. */
  causes: string[]
  change: PaymentChange
  /** The chains on which receivers are owed something from now on. */
  chainsToSettle: Set<string>
}

/**
 * Brings a payment up to what its provider shows of a charge: money that came is taken or given back, money that went
 * back is recorded, a charge that ended ends the attempt. The same view again changes nothing, and an older one cannot
 * undo what a newer one did.
 */
export async function applyChargeView(deps: PaymentsDeps, charge: Charge, view: ChargeView): Promise<void> {
  const { tenantId, paymentId } = charge
  await deps.payments.change(tenantId, paymentId, async (payment, em) => {
    const record = await deps.charges.load(em, charge)
    const now = deps.clock.now()
    const chainsToSettle = new Set<string>()
    const application = { deps, em, payment, record, view, now, causes: [], change: {}, chainsToSettle }
    const recorded = await apply(application)
    await addSettleJobs(application)
    return recorded
  })
}

/**
 * As late as can be: a job with a key is one row for all payments that want it, and holding it until the commit keeps them
 * and the worker waiting.
 */
async function addSettleJobs({ deps, em, payment, chainsToSettle }: Application): Promise<void> {
  if (chainsToSettle.size === 0) return
  await em.flush()
  for (const chainName of chainsToSettle) await deps.addJob(em, settlePaymentJob(chainName, payment.id))
}

async function apply(application: Application): Promise<RecordedChange | undefined> {
  const { payment, record, view, causes, change } = application
  const { charge } = record
  const isCurrent = payment.chargeId === charge.id
  if (view.expiresAt && view.expiresAt < charge.expiresAt) charge.expiresAt = view.expiresAt
  if (isNews(charge, view)) {
    charge.data = view.data
    if (isToBeChargedAgain(payment)) charge.cardOnFile = view.cardOnFile ?? null
    causes.push('charge_changed')
  }
  for (const receipt of view.receipts) {
    if (!record.receipts.some(({ id }) => id === receipt.id)) await takeReceipt(application, receipt)
    for (const returned of receipt.returns) await noteReturn(application, receipt, returned)
  }
  const end = chargeEnd(application, isCurrent)
  if (end) {
    charge.state = 'closed'
    Object.assign(change, end.change)
    causes.push(end.cause)
  }
  const cause = causes.at(-1)
  // A charge that was replaced is no part of the payment any more; what happens to it is in its own rows.
  if (cause === undefined || !isCurrent) return undefined
  const globalPaymentData = chargeSummary(record, await application.deps.payouts.lockAll(application.em, payment))
  // A dispute is told of though the status stays as it is.
  const notify = change.status !== undefined || causes.includes('receipt_taken_back')
  return { change: { ...change, globalPaymentData }, cause, notify }
}

/** Whether a subscription may charge the same card again; of all others it is not kept. */
function isToBeChargedAgain({ gatewayMethod, orderCode, subscriptionConfig }: Payment): boolean {
  return gatewayMethod === 'subs' && orderCode != null && subscriptionConfig?.charge !== false
}

/** Whether the provider shows a charge otherwise than it is kept; what is asked for and not handed out yet is kept then. */
function isNews({ state, data }: Charge, view: ChargeView): boolean {
  // A look that was on its way while the charge was paid must not show it unpaid again.
  if (state === 'paid' && view.status !== 'paid') return false
  return data === null ? state !== 'creating' : !isDeepStrictEqual(data, view.data)
}

/** Books money that came, and decides whether it pays the payment. */
async function takeReceipt(application: Application, receipt: Receipt): Promise<void> {
  const { deps, em, payment, record, now, causes, change } = application
  const { charge } = record
  const isPaid = (await deps.charges.acceptedOf(em, payment)) !== undefined
  const reason = refusalOf(payment, charge, receipt, isPaid)
  const stored = deps.charges.addReceipt(em, {
    tenantId: charge.tenantId,
    rail: charge.rail,
    id: receipt.id,
    chargeId: charge.id,
    paymentId: charge.paymentId,
    currency: charge.currency,
    amount: receipt.amount,
    receivedAt: receipt.at,
    outcome: reason === undefined ? 'accepted' : 'returned',
    reason: reason ?? null,
    createdAt: now,
  })
  record.receipts.push(stored)
  await book(application, receiptEntry(charge.rail, receipt.id, stored))
  if (reason === undefined) {
    await acceptReceipt(application, stored)
    return
  }
  await requestReturn(application, stored, reason)
  causes.push(reason)
  const isWaited = payment.chargeId === charge.id && payment.status === 'pending' && charge.state !== 'paid'
  if (!isWaited) return
  // Whoever paid another amount, or too late, has ended this attempt; the next one is charged afresh.
  charge.state = 'closed'
  change.status = 'error'
  change.dataError =
    reason === 'amount_mismatch'
      ? paymentFailure('amount_mismatch', `${stored.amount} ${stored.currency} came instead of ${charge.amount}.`)
      : paymentFailure('charge_expired', 'The charge was paid after it had expired.')
}

/** The money pays the payment: what the receivers are owed is written down in the same transaction. */
async function acceptReceipt(application: Application, receipt: StoredReceipt): Promise<void> {
  const { deps, em, payment, record, now, causes } = application
  const { charge } = record
  charge.state = 'paid'
  charge.confirmedAt = now
  if (payment.transactionType && settlesInFiat(payment.transactionType)) {
    await settleByProvider(application, receipt)
    return
  }
  const payouts = planPayouts(deps, payment, now)
  deps.payouts.add(em, payouts)
  const to = { amount: payment.amountTo ?? '0', currency: payment.toCurrencySymbol }
  await book(application, conversionEntry(receipt.id, receipt, to))
  for (const { chainName } of payouts) application.chainsToSettle.add(chainName)
  causes.push('charge_paid')
}

/** The provider shares the money out by itself: nothing is left to be done. Without recipients it stays the tenant's, with us. */
async function settleByProvider(application: Application, receipt: StoredReceipt): Promise<void> {
  const { payment, record, causes, change } = application
  const isSharedOut = payment.splitPaymentConfig.some(({ recipientId }) => recipientId != null && recipientId !== '')
  if (isSharedOut) await book(application, disbursementEntry(record.charge.rail, receipt.id, receipt))
  change.status = 'success'
  causes.push('charge_paid')
}

async function requestReturn({ deps, em, record, now }: Application, receipt: StoredReceipt, reason: string) {
  const returned = deps.charges.addReturn(em, {
    tenantId: receipt.tenantId,
    rail: receipt.rail,
    receiptId: receipt.id,
    id: returnIdOf(receipt.id),
    amount: receipt.amount,
    status: 'requested',
    forced: false,
    reason,
    createdAt: now,
  })
  record.returns.push(returned)
  await deps.addJob(em, returnJob(returned))
}

/** Records how far a return is, ours or a forced one; money that is back with its payer is booked once. */
async function noteReturn(application: Application, receipt: Receipt, returned: ReceiptReturn): Promise<void> {
  const { deps, em, record, now, causes } = application
  const { charge } = record
  const known = record.returns.find(({ receiptId, id }) => receiptId === receipt.id && id === returned.id)
  if (known && isReturnOver(known)) return
  if (known?.status === returned.status) return
  const { id, amount, status, forced, reason } = returned
  const stored: StoredReturn =
    known ??
    deps.charges.addReturn(em, {
      tenantId: charge.tenantId,
      rail: charge.rail,
      receiptId: receipt.id,
      id,
      amount,
      status,
      forced,
      reason,
      createdAt: now,
    })
  if (!known) record.returns.push(stored)
  stored.status = status
  causes.push(forced ? 'receipt_taken_back' : `return_${status}`)
  if (status !== 'done') return
  await book(application, returnEntry(charge.rail, receipt.id, id, { amount, currency: charge.currency }))
  // What we did not order is as good as forced, whatever the provider calls it.
  if (forced || !known) await answerForcedReturn(application, receipt, returned)
}

/** The payer's money was taken back by force: nobody is paid any more who was not paid yet. */
async function answerForcedReturn(application: Application, receipt: Receipt, returned: ReceiptReturn): Promise<void> {
  const { deps, em, payment, record, change } = application
  Object.assign(change, await stopPayouts(deps, em, payment, record))
  deps.log.error({ paymentId: payment.id, receiptId: receipt.id }, 'money was taken back by force')
  const details = `${returned.amount} of ${receipt.id}`
  await deps.addJob(em, alertJob({ kind: 'forced_return', subject: payment.id, details }))
}

function book({ deps, em, record, now }: Application, entry: LedgerEntry): Promise<void> {
  const { tenantId, paymentId } = record.charge
  return deps.ledger.book(em, { tenantId, paymentId, at: now }, entry)
}
