import { compare } from '../../../../kernel/money.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { backoffByAge } from '../../model/backoff.js'
import { keptShares } from '../../model/receiver-shares.js'
import { isRefundOver } from '../../model/refund-rules.js'
import { chargeRailOf, type Rails } from '../../rails/find-rail.js'
import { REFUND_ID_TAKEN, type ReceiverShare } from '../../rails/processor-adapter.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { ChargeRecord } from '../../store/charge-records.js'
import type { Charge, StoredRefund } from '../../store/charge.entity.js'
import type { Stores } from '../../store/stores.js'
import { isSharedByProvider } from '../charges/application.js'
import { refundJob, type RefundJob } from './refund-jobs.js'
import { platformFeeOf } from '../charges/new-charge.js'
import { acceptRefusal, cutToLeft, standInFor } from './refuse-refund.js'
import { syncCharge, type SyncChargeDeps } from '../charges/sync-charge.js'

/** What refunding a payer needs. */
export type SendRefundDeps = SyncChargeDeps & Rails & Pick<Stores, 'addJobNow' | 'alerts'>

const RETRY_BACKOFF = { shortestMs: 5_000, longestMs: 900_000 }

/**
 * The job that refunds a payer: asked for under an id of ours, so that it goes back once however often the job
 * runs, and followed until the provider says that it is back. Of one received payment the refunds are sent one after the
 * other: some providers only tell how much was refunded in all.
 */
export async function sendRefund(deps: SendRefundDeps, job: RefundJob): Promise<void> {
  const { rail: railName, receiptId } = job
  const record = await deps.charges.readByReceivedPayment(railName, receiptId)
  const refund = refundIn(record, job)
  const rail = chargeRailOf(deps, railName)
  if (!record || !refund || !rail) return
  // Its callback may have come first.
  if (isRefundOver(refund)) return clearRefused(deps, record, refund)
  const { charge } = record
  try {
    await bringOn(deps, rail, { job, record, refund })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn({ paymentId: charge.paymentId, receiptId, err: error }, 'a refund could not be sent yet')
    if (isRefusal(error) && refund.origin === 'tenant') await acceptRefusal(deps, rail, charge, refund)
    else if (isRefusal(error) && (await cutToLeft(deps, rail, charge, refund)) === 'nothing left') {
      await deps.alerts.clear('return_refused', receiptId)
      return
    } else if (isRefusal(error)) {
      await deps.alerts.raise({ kind: 'return_refused', subject: receiptId, details: error.message })
    }
  }
  const after = await deps.charges.readByReceivedPayment(railName, receiptId)
  const present = refundIn(after, job)
  if (!after || !present) return
  await clearRefused(deps, after, present)
  if (!isRefundOver(present)) await deps.addJobNow(refundJob(present, nextTry(present, deps.clock.now())))
}

/** Takes an alert back once a refund is made, but where nobody knows of another one of the same money whether it went back. */
async function clearRefused(deps: SendRefundDeps, { refunds }: ChargeRecord, { receiptId, id, status }: StoredRefund) {
  const isInDoubt = (one: StoredRefund): boolean => one.status === 'refused' && one.refusedAt != null
  const others = refunds.filter((one) => one.receiptId === receiptId && one.id !== id)
  if (status === 'done' && !others.some(isInDoubt)) await deps.alerts.clear('return_refused', receiptId)
}

function refundIn(record: ChargeRecord | undefined, job: RefundJob): StoredRefund | undefined {
  const { tenantId, receiptId, returnId } = job
  return record?.refunds.find((one) => one.tenantId === tenantId && one.receiptId === receiptId && one.id === returnId)
}

/** A refund that is to be brought on, with its charge as it is kept. */
interface OpenRefund {
  job: RefundJob
  record: ChargeRecord
  refund: StoredRefund
}

async function bringOn(deps: SendRefundDeps, rail: ChargeRail, open: OpenRefund): Promise<void> {
  const { charge } = open.record
  const unsent = await unsentOf(deps, rail, open)
  if (!unsent) return
  const { record, refund } = unsent
  const others = record.refunds.filter(({ receiptId, id }) => receiptId === refund.receiptId && id !== refund.id)
  const isBehind = others.some(
    (other) => !isRefundOver(other) && other.origin !== 'provider' && isBefore(other, refund),
  )
  let isAmongDone = false
  // What somebody has the provider refund by itself is only followed.
  if (!isBehind && refund.origin !== 'provider') {
    const isFirstTry = await deps.charges.markRefundSent(refund, deps.clock.now())
    const { receiptId, id: providerRefundId, amount, platformFee: fee } = refund
    const doneBefore = others.filter(({ forced, status }) => !forced && status === 'done').map((one) => one.amount)
    const received = record.receivedPayments.find((one) => one.id === receiptId)
    const isWhole = received !== undefined && compare(amount, received.amount) === 0
    // Of money that pays nothing, and that the provider may have shared out all the same, it takes each part back by itself.
    const isOurs = !isWhole && refund.origin === 'tenant'
    const receivers = isOurs ? await sharersOf(deps, rail, { charge, refund }) : undefined
    const platformFee = platformFeeOf(charge, fee)
    const order = { receiptId, providerRefundId, amount, doneBefore, receivers, platformFee }
    const answer: { isAmongDone?: boolean } = await rail.adapter
      .refund(order)
      .catch((error: unknown) => doubt(deps, rail, { job: open.job, refund, isFirstTry, error }))
    isAmongDone = answer.isAmongDone === true
  }
  // The charge shows the refund, and what it shows is booked; there is one place where money is booked.
  await syncCharge(deps, rail, charge)
  if (isAmongDone) await endMadeBefore(deps, rail, open.job)
}

/**
 * What a refusal says of a refund that may have been made all the same: it is noted, and the refund is not sent any more. So it is where an id
 * is known to the provider from another request, and for a while only: once it has forgotten it, the same order would be made a second time.
 * At the first try that was a request which the database has lost; later it may be our own of before, which is still at work.
 * @throws the error itself where the refund may be sent again, or has not been made
 */
async function doubt(
  deps: SendRefundDeps,
  rail: ChargeRail,
  { job, refund, isFirstTry, error }: { job: RefundJob; refund: StoredRefund; isFirstTry: boolean; error: unknown },
): Promise<{ isAmongDone: boolean }> {
  const isForgotten = rail.adapter.refundIdLifeMs !== undefined
  const isConflict = isForgotten && error instanceof ProviderError && error.kind === 'conflict'
  const isDoubtful = isConflict || (!isFirstTry && isRefusal(error))
  if (!isDoubtful || refund.origin !== 'tenant') throw error
  const { receiptId, amount } = refund
  deps.log.warn({ refundId: refund.id, receiptId, err: error }, 'a refund was refused that may have been made before')
  const isMade = isConflict && isFirstTry && error.providerCode === REFUND_ID_TAKEN
  // Before it is marked, which ends its tries: where the look below fails nothing would come back to this.
  if (isMade && (await endMadeBefore(deps, rail, job))) return { isAmongDone: false }
  await deps.charges.markRefundRefused(refund, deps.clock.now())
  if (!isConflict) return { isAmongDone: false }
  const details = `${inDoubt(rail, refund)}, and nobody knows whether ${amount} went back: it is not sent again`
  await deps.alerts.raise({ kind: 'return_refused', subject: receiptId, details })
  return { isAmongDone: isMade }
}

/** How an operator's alert of such a refund begins. */
function inDoubt({ name }: ChargeRail, { id }: StoredRefund): string {
  return `${name} may know ${id} from another request`
}

/**
 * Ends a refund that its tenant has ordered again, as the database had lost the order, after what went back was shown and booked as somebody's
 * at the provider: the provider has answered as before, and refunds it a second time once it does not know the key any more. Where exactly
 * its amount was booked, that is the refund which its tenant has ordered, and has its id from then on. Where more was booked in one sum
 * the order fails, and an operator is told.
 * @returns whether it is over
 */
async function endMadeBefore(deps: SendRefundDeps, rail: ChargeRail, job: RefundJob): Promise<boolean> {
  const record = await deps.charges.readByReceivedPayment(rail.name, job.receiptId)
  const refund = refundIn(record, job)
  if (!record || refund?.origin !== 'tenant') return false
  if (isRefundOver(refund)) return true
  const all = record.refunds.filter((one) => isBookedFor(one, refund) && !isTaken(one, record.refunds))
  const booked = all.find(({ amount }) => compare(amount, refund.amount) === 0) ?? all[0]
  if (!booked) return false
  if (compare(booked.amount, refund.amount) === 0) {
    await standInFor(deps, rail, { charge: record.charge, refund, booked })
    await deps.alerts.clear('return_refused', job.receiptId, inDoubt(rail, refund))
    return true
  }
  await acceptRefusal(deps, rail, record.charge, refund)
  const { receiptId, amount } = refund
  const details = `${amount} of ${receiptId} went back before, as the refund ${booked.refundId ?? booked.id}: ${refund.id} is not made again`
  await deps.alerts.raise({ kind: 'return_refused', subject: receiptId, details })
  return true
}

/** Whether a refund that nobody here had ordered may have been what another one was ordered for. */
function isBookedFor({ receiptId, origin, forced, status, amount }: StoredRefund, refund: StoredRefund): boolean {
  const isDone = origin === 'provider' && !forced && status === 'done'
  return isDone && receiptId === refund.receiptId && compare(amount, refund.amount) >= 0
}

/** Whether a refund stands for an order already: its tenant knows that one by its id, and was told that it has succeeded. */
function isTaken({ refundId }: StoredRefund, all: readonly StoredRefund[]): boolean {
  return all.some(({ origin, id }) => origin === 'tenant' && id === refundId)
}

/**
 * A try that a provider has not answered may be at work there for so long, and be why it refuses the next one: as refunded already, or as more
 * than is left. Only what the charge shows after that is a verdict.
 */
const UNANSWERED_MS = 600_000

/**
 * The refund as it may be sent. It is looked for first where it was sent so long ago that the provider may not know its id any more, and would
 * refund it a second time; where that is not noted it may have been sent when it was ordered, as the database may have gone back to a backup. So it
 * is where it was refused after a try that was not answered. What of the money the charge shows as gone and nothing else accounts for
 * is this one (`namedRefunds`). Where the charge does not show the money at all nobody can tell, and an operator is told instead.
 * @returns undefined where it is over, or must not be sent
 */
async function unsentOf(
  deps: SendRefundDeps,
  rail: ChargeRail,
  { job, record, refund }: OpenRefund,
): Promise<Omit<OpenRefund, 'job'> | undefined> {
  const { name, adapter } = rail
  const { refundIdLifeMs = Infinity } = adapter
  const ageOf = (at: Date): number => deps.clock.now().getTime() - at.getTime()
  const isKnown = ageOf(refund.sentAt ?? refund.createdAt) <= refundIdLifeMs
  if (isKnown && refund.refusedAt == null) return { record, refund }
  const view = await syncCharge(deps, rail, record.charge)
  const present = await deps.charges.readByReceivedPayment(name, job.receiptId)
  const left = refundIn(present, job)
  if (!present || !left || isRefundOver(left)) return undefined
  if (!view?.receivedPayments.some(({ id }) => id === job.receiptId)) {
    const details = `${name} does not show the charge, and nobody knows whether ${left.amount} went back: it is not sent again`
    await deps.alerts.raise({ kind: 'return_refused', subject: job.receiptId, details })
    return undefined
  }
  if (left.refusedAt == null) return { record: present, refund: left }
  // What the provider has in process it has not refused.
  const isRefused = left.status === 'requested' && ageOf(left.refusedAt) >= UNANSWERED_MS
  if (isRefused) await acceptRefusal(deps, rail, present.charge, left)
  return undefined
}

/** Whether a provider has refused what it was asked for, as far as it says itself. */
function isRefusal(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'declined'
}

/**
 * In the order in which they were ordered. One that was sent is before one that was not: the version before ordered refunds by the clock of
 * whichever host took them, and may have sent one that looks younger than the next.
 */
function isBefore(other: StoredRefund, refund: StoredRefund): boolean {
  if ((other.sentAt == null) !== (refund.sentAt == null)) return other.sentAt != null
  const apart = other.createdAt.getTime() - refund.createdAt.getTime()
  return apart === 0 ? other.id < refund.id : apart < 0
}

/** Those whom the provider has shared the money out to, with what each of them bears of a refund; undefined where it has not. */
async function sharersOf(
  deps: SendRefundDeps,
  rail: ChargeRail,
  { charge: { tenantId, paymentId }, refund }: { charge: Charge; refund: StoredRefund },
): Promise<ReceiverShare[] | undefined> {
  const payment = await deps.payments.find(tenantId, paymentId)
  if (!payment || !isSharedByProvider({ rail, payment })) return undefined
  const receivers = payment.splitPaymentConfig
  const shares = keptShares(receivers, refund)
  return receivers.map((receiver, place) => ({ ...receiver, amount: shares[place] ?? '0' }))
}

function nextTry({ createdAt }: StoredRefund, now: Date): Date {
  return new Date(now.getTime() + backoffByAge(createdAt, now, RETRY_BACKOFF))
}
