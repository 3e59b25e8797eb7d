import { isDeepStrictEqual } from 'node:util'
import type { CardOnFile, ChargeView, ReceivedPayment } from '../../model/charge.js'
import { receivedPaymentEntry } from '../../model/ledger-entries.js'
import { inCents } from '../../model/in-cents.js'
import type { PaymentCause } from '../../model/payment-cause.js'
import { paymentFailure, type PaymentFailure } from '../../model/payment-failure.js'
import { CHARGE_EXPIRED, returnReasonOf, refundIdOf, type ReturnReason } from '../../model/refund-rules.js'
import type { ChargeRail } from '../../rails/rail.js'
import { chargeSummary } from '../../settlement/charge-summary.js'
import { settlePaymentJob } from '../../settlement/settlement-jobs.js'
import type { Charge, StoredReceivedPayment } from '../../store/charge.entity.js'
import type { RecordedChange } from '../../store/payment-changes.js'
import { acceptReceivedPayment } from './accept-payment.js'
import { book, type Application, type ApplyChargeDeps } from './application.js'
import { endGoneAtOnce } from './end-gone-at-once.js'
import { refundJob } from '../refunds/refund-jobs.js'
import { isFromForeignPayer } from './foreign-payer.js'
import { isChargedAgain } from './is-charged-again.js'
import { matchUnmatched } from './match-unmatched.js'
import { priceAgain } from './price-again.js'
import { recordProviderFee } from './record-provider-fee.js'
import { recordRefunds } from '../refunds/record-refunds.js'
import { tellReplaced } from './tell-replaced.js'
import { terminalStatusOf } from './terminal-status.js'

/**
 * Brings a payment up to what its provider shows of a charge: money that came is taken or given back, money that went
 * back is recorded, a charge that ended ends the attempt. The same view again changes nothing, and an older one cannot
 * undo what a newer one did.
 */
export async function applyChargeView(
  deps: ApplyChargeDeps,
  rail: ChargeRail,
  charge: Charge,
  view: ChargeView,
): Promise<void> {
  const { tenantId, paymentId } = charge
  const pricedAgain = await priceAgain(deps, charge, view)
  await deps.payments.change(tenantId, paymentId, async (payment, em) => {
    const record = await deps.charges.load(em, charge)
    const now = deps.clock.now()
    const chainsToSettle = new Set<string>()
    const application = {
      deps,
      rail,
      em,
      payment,
      record,
      view,
      now,
      causes: [],
      change: {},
      chainsToSettle,
      pricedAgain,
    }
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
    charge.cardOnFile = (await cardToKeep(application)) ?? null
    causes.push('charge_changed')
  }
  for (const received of view.receivedPayments) {
    if (!record.receivedPayments.some(({ id }) => id === received.id)) await takeReceivedPayment(application, received)
    await recordProviderFee(application, received)
    await recordRefunds(application, received)
  }
  Object.assign(change, endGoneAtOnce(application))
  const end = terminalStatusOf(application, isCurrent)
  if (end) {
    charge.state = 'closed'
    Object.assign(change, end.change)
    causes.push(end.cause)
  }
  if (!isCurrent) return tellReplaced(application)
  const cause = toldCause(causes)
  if (cause === undefined) return undefined
  const globalPaymentData = chargeSummary(record, await application.deps.payouts.lockAll(application.em, payment))
  // A dispute is told of though the status stays as it is.
  const notify = change.status !== undefined || causes.includes('receipt_taken_back')
  return { change: { ...change, globalPaymentData }, cause, notify, isPaid: causes.includes('charge_paid') }
}

/**
 * What is told before what else one look has shown, the last of which is told otherwise: tenants know a dispute by its cause, and
 * that the money is in says why the status is another one. Refunds have events of their own.
 */
const TOLD_FIRST: readonly PaymentCause[] = ['receipt_taken_back', 'charge_paid']

/** What the entry says that one look adds to the payment's history. */
function toldCause(causes: readonly PaymentCause[]): PaymentCause | undefined {
  return TOLD_FIRST.find((cause) => causes.includes(cause)) ?? causes.at(-1)
}

/** The card that a subscription charges again; no other is kept. */
async function cardToKeep({ deps, em, payment, view }: Application): Promise<CardOnFile | undefined> {
  return view.cardOnFile && (await isChargedAgain(deps, em, payment)) ? view.cardOnFile : undefined
}

/** Whether the provider shows a charge otherwise than it is kept; what is asked for and not handed out yet is kept then. */
function isNews({ state, data }: Charge, view: ChargeView): boolean {
  // An answer that was on its way while the charge was paid must not show it unpaid again.
  if (state === 'paid' && view.status !== 'paid') return false
  return data === null ? state !== 'creating' : !isDeepStrictEqual(data, view.data)
}

/** Books money that came, and decides whether it pays the payment. */
async function takeReceivedPayment(application: Application, received: ReceivedPayment): Promise<void> {
  const { deps, em, payment, record, now, causes, change } = application
  const { charge } = record
  const isPaid = (await deps.charges.acceptedOf(em, payment)) !== undefined
  const reason =
    returnReasonOf(payment, charge, received, isPaid) ??
    ((await isFromForeignPayer(application, received)) ? 'payer_mismatch' : undefined)
  const stored = deps.charges.addReceivedPayment(em, {
    tenantId: charge.tenantId,
    rail: charge.rail,
    id: received.id,
    chargeId: charge.id,
    paymentId: charge.paymentId,
    currency: charge.currency,
    amount: received.amount,
    receivedAt: received.at,
    outcome: reason === undefined ? 'accepted' : 'returned',
    reason: reason ?? null,
    providerFee: null,
    createdAt: now,
  })
  record.receivedPayments.push(stored)
  await book(application, receivedPaymentEntry(charge.rail, received.id, stored))
  await matchUnmatched(application, received)
  if (reason === undefined) {
    await acceptReceivedPayment(application, stored)
    return
  }
  await requestRefund(application, stored, reason)
  causes.push(reason)
  const isWaited = payment.chargeId === charge.id && payment.status === 'pending' && charge.state !== 'paid'
  if (!isWaited) return
  // Another amount, one that came too late, or from somebody else, has ended this attempt; the next one is charged afresh.
  charge.state = 'closed'
  const failed = { status: 'error' as const, dataError: failureOf(reason, stored, charge) }
  Object.assign(change, failed)
  // At once: the same look may show more money of the charge.
  Object.assign(payment, failed)
}

function failureOf(reason: ReturnReason, { amount, currency }: StoredReceivedPayment, charge: Charge): PaymentFailure {
  switch (reason) {
    case 'amount_mismatch':
      return paymentFailure(reason, `${inCents(amount)} ${currency} came instead of ${inCents(charge.amount)}.`)
    case 'payer_mismatch':
      return paymentFailure(reason, "It was paid from another person's account, and goes back there.")
    default:
      return paymentFailure(CHARGE_EXPIRED, 'The charge was paid after it had expired.')
  }
}

async function requestRefund({ deps, em, record, now }: Application, received: StoredReceivedPayment, reason: string) {
  const refund = deps.charges.addRefund(em, {
    tenantId: received.tenantId,
    rail: received.rail,
    receiptId: received.id,
    id: refundIdOf(received.id),
    amount: received.amount,
    status: 'requested',
    forced: false,
    reason,
    origin: 'service',
    platformFee: null,
    shares: null,
    refundId: null,
    sentAt: null,
    refusedAt: null,
    endedAt: null,
    changedAt: null,
    createdAt: now,
  })
  record.refunds.push(refund)
  await deps.addJob(em, refundJob(refund))
}
