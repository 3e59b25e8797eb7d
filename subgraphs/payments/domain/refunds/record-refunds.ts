import { isId } from '../../../../kernel/ids.js'
import { isPositive, subtract } from '../../../../kernel/money.js'
import type { ReceivedPayment, Refund } from '../../model/charge.js'
import { inCents } from '../../model/in-cents.js'
import {
  refundDoneEntry,
  refundEntry,
  refundFailedEntry,
  takenFromSplitEntry,
  wonChargebackEntry,
  wonForSplitEntry,
} from '../../model/ledger-entries.js'
import type { PaymentCause } from '../../model/payment-cause.js'
import { isRefundOver, namedRefunds, refundedAmountOf, wonChargebacks } from '../../model/refund-rules.js'
import { alertJob } from '../../settlement/alert-job.js'
import { handleChargeback, takenOf } from '../../settlement/handle-chargeback.js'
import { recoverDebt } from '../../settlement/recover-debt.js'
import { endAfterWithholding, withholdPayouts } from '../../settlement/withhold-payouts.js'
import type { StoredRefund } from '../../store/charge.entity.js'
import { refundEventJob } from './refund-event.js'
import { partsOfRefund, splitRefundEntries, splitRefundFailedEntries } from './split-refund.js'
import { book, isSharedByProvider, type ChargeUpdate } from '../charges/application.js'

/** Records how far the refunds of a received payment are, ours and others; money that is back with its payer is booked once. */
export async function recordRefunds(update: ChargeUpdate, received: ReceivedPayment): Promise<void> {
  const { record } = update
  const known = record.refunds.filter(({ receiptId }) => receiptId === received.id)
  const named = namedRefunds(received, known)
  // What was won is back before the next one takes it.
  for (const won of wonChargebacks(received, known)) await recordWon(update, received, won)
  for (const refund of named) await recordRefund(update, received, refund)
}

/** The tenant has the money again; what it is owed to, after payouts were stopped, an operator decides. */
async function recordWon(update: ChargeUpdate, received: ReceivedPayment, won: StoredRefund): Promise<void> {
  const { deps, em, payment, record, now, causes } = update
  const { rail, receiptId, id, amount } = won
  const { currency } = record.charge
  const changedAt = received.changedAt ?? null
  Object.assign(won, { status: 'refused', endedAt: now, changedAt } satisfies Partial<StoredRefund>)
  causes.push('chargeback_won')
  const entryOf = isSharedOut(update, receiptId) ? wonForSplitEntry : wonChargebackEntry
  await book(update, entryOf(rail, receiptId, id, { amount, currency }))
  await recoverFromTenant(update)
  const details = `${inCents(amount)} ${currency} of ${receiptId} have come again: the chargeback was won`
  await deps.addJob(em, alertJob({ kind: 'chargeback_won', subject: payment.id, details }))
}

async function recordRefund(update: ChargeUpdate, received: ReceivedPayment, refund: Refund): Promise<void> {
  const { record } = update
  const known = record.refunds.find(({ receiptId, id }) => receiptId === received.id && id === refund.id)
  if (known && (isRefundOver(known) || known.status === refund.status)) return
  await moveRefund(update, known ?? (await addUnordered(update, received, refund)), refund.status)
}

/** A refund that nobody here has ordered: by force, or made at the provider for somebody. */
async function addUnordered(update: ChargeUpdate, received: ReceivedPayment, refund: Refund): Promise<StoredRefund> {
  const { deps, em, record, now } = update
  const { id, amount, forced, reason } = refund
  const { tenantId, rail } = record.charge
  const stored = deps.charges.addRefund(em, {
    ...{ tenantId, rail, receiptId: received.id, id, amount, forced, reason },
    ...(forced ? { platformFee: null, shares: null } : partsOfRefund(update, received, amount)),
    status: 'requested',
    origin: 'provider',
    // What has an id of ours was ordered here, and its order was lost with the database: its tenant knows it by that.
    refundId: forced || !isAccepted(update, received.id) ? null : isId(id) ? id : deps.newId(),
    sentAt: null,
    refusedAt: null,
    endedAt: null,
    changedAt: forced ? (received.changedAt ?? null) : null,
    createdAt: now,
  })
  record.refunds.push(stored)
  // The event is shown from the row, which has to be there by then.
  if (stored.refundId != null) await deps.addJob(em, refundEventJob(stored, 'created'))
  return stored
}

function isAccepted({ record }: ChargeUpdate, receiptId: string): boolean {
  return record.receivedPayments.some(({ id, outcome }) => id === receiptId && outcome === 'accepted')
}

/** Whether those who have got the money at the provider are liable for it. */
function isSharedOut(update: ChargeUpdate, receiptId: string): boolean {
  return isSharedByProvider(update) && isAccepted(update, receiptId)
}

/**
 * Brings a refund to a status, with all that follows from it.
 * @param isReplaced whether it is refused as another one has taken its id, so that no operator is told, and its tenant is of the other id
 * @param isTold whether an operator was told why it is refused
 */
export async function moveRefund(
  update: ChargeUpdate,
  stored: StoredRefund,
  status: StoredRefund['status'],
  { isReplaced = false, isTold = isReplaced }: { isReplaced?: boolean; isTold?: boolean } = {},
): Promise<void> {
  const { deps, em, record, now, causes, change } = update
  stored.status = status
  causes.push(stored.forced ? disputeCause(status) : `return_${status}`)
  if (stored.forced) await holdWhileUndecided(update, stored)
  if (!isRefundOver(stored)) return
  stored.endedAt = now
  const { receiptId: subject, origin, amount, refundId } = stored
  // Of words of its own: what was told before, while it was tried, holds no more.
  const details = `the refund ${refundId ?? stored.id} of ${inCents(amount)} ${record.charge.currency} was refused`
  if (status === 'refused' && origin !== 'provider' && !isTold)
    await deps.addJob(em, alertJob({ kind: 'return_refused', subject, details }))
  if (stored.origin === 'tenant') await bookOrdered(update, stored)
  else if (status === 'done') await bookUnordered(update, stored)
  if (stored.refundId == null) return
  change.refundedAmount = refundedAmountOf(record)
  await deps.addJob(em, refundEventJob(stored, isReplaced ? 'replaced' : 'ended'))
}

/** An alert is raised once in 10 s, and a bank may decide sooner than that. */
const REPEATED_AFTER_MS = 11_000

/**
 * While a provider decides whether money goes back by force, nobody is paid of it: it would be gone twice. Where it stays after all an
 * operator is told, who lets the payouts leave.
 */
async function holdWhileUndecided(update: ChargeUpdate, { receiptId, amount, status }: StoredRefund): Promise<void> {
  const { deps, em, payment, record, now, change } = update
  const accepted = record.receivedPayments.find(({ id, outcome }) => id === receiptId && outcome === 'accepted')
  if (!accepted) return
  if (status === 'processing') Object.assign(change, await handleChargeback(deps, em, payment, record))
  if (status !== 'refused') return
  const { taken, undecided } = takenOf(accepted, record)
  // Of the rest somebody has decided otherwise, or decides still.
  if (isPositive(taken) || isPositive(undecided)) return
  const payouts = await deps.payouts.lockAll(em, payment)
  // Of what another thing holds it was told as well that the provider decides.
  if (!payouts.some(({ state }) => state === 'held')) return
  const details = `${inCents(amount)} ${record.charge.currency} of ${receiptId} stay: the provider has decided against taking them back`
  const alert = alertJob({ kind: 'payout_held', subject: payment.id, details })
  await deps.addJob(em, { ...alert, runAt: new Date(now.getTime() + REPEATED_AFTER_MS) })
}

/** What happened to money that is taken back by force: one that comes to nothing is won, and tells nobody of a dispute. */
function disputeCause(status: StoredRefund['status']): PaymentCause {
  return status === 'refused' ? 'chargeback_won' : 'receipt_taken_back'
}

/** What the refund costs was put aside when it was ordered. */
async function bookOrdered(update: ChargeUpdate, refund: StoredRefund): Promise<void> {
  const { rail, receiptId, id, amount, status } = refund
  const { currency } = update.record.charge
  const money = { amount, currency }
  if (status === 'done') await book(update, refundDoneEntry(rail, receiptId, id, money))
  else if (isSharedByProvider(update)) await book(update, ...splitRefundFailedEntries(rail, refund, currency))
  else {
    await book(update, refundFailedEntry(rail, id, money))
    // What it gives back may be owed: the payer's money may have gone by force meanwhile.
    await recoverFromTenant(update)
  }
}

async function bookUnordered(update: ChargeUpdate, stored: StoredRefund): Promise<void> {
  const { rail, receiptId, id, amount, refundId, origin } = stored
  const money = { amount, currency: update.record.charge.currency }
  if (refundId != null && isSharedByProvider(update)) {
    const taken = splitRefundEntries(rail, { ...stored, id: refundId }, money.currency)
    await book(update, ...taken, refundDoneEntry(rail, receiptId, id, money))
    return
  }
  await book(update, (isSharedOut(update, receiptId) ? takenFromSplitEntry : refundEntry)(rail, receiptId, id, money))
  if (refundId != null) await takeFromPayouts(update, stored)
  else if (origin === 'provider') await recordChargeback(update, stored)
  await recoverFromTenant(update)
}

/** Where the processor has shared the money out, those who got it bear what it takes back. */
async function recoverFromTenant(update: ChargeUpdate): Promise<void> {
  if (isSharedByProvider(update)) return
  await recoverDebt(update.deps, update.em, update.payment, update.record.charge.currency)
}

/** The receivers bear a refund that somebody made at the provider, as far as they were not paid; the tenant owes us the rest. */
async function takeFromPayouts(update: ChargeUpdate, { id, amount, refundId }: StoredRefund): Promise<void> {
  const { deps, em, payment, record, change } = update
  const payouts = await deps.payouts.lockAll(em, payment)
  const { currency } = record.charge
  const { covered, entries } = withholdPayouts(deps, payouts, { id: refundId ?? id, amount, currency })
  await book(update, ...entries)
  Object.assign(change, endAfterWithholding(payment, payouts))
  const owed = subtract(amount, covered)
  if (!isPositive(owed)) return
  const details = `${inCents(owed)} ${currency} were refunded at the provider after the receivers had been paid`
  await deps.addJob(em, alertJob({ kind: 'forced_return', subject: payment.id, details }))
}

/** The payer's money was taken back by force: nobody is paid any more who was not paid yet. */
async function recordChargeback(update: ChargeUpdate, { receiptId, amount }: StoredRefund): Promise<void> {
  const { deps, em, payment, record, change } = update
  Object.assign(change, await handleChargeback(deps, em, payment, record))
  deps.log.error({ paymentId: payment.id, receiptId }, 'money was taken back by force')
  const details = `${inCents(amount)} ${record.charge.currency} of ${receiptId}`
  await deps.addJob(em, alertJob({ kind: 'forced_return', subject: payment.id, details }))
}
