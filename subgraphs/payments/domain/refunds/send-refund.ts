import { compare } from '../../../../kernel/money.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { backoffByAge } from '../../model/backoff.js'
import { keptShares } from '../../model/receiver-shares.js'
import { isRefundOver } from '../../model/refund-rules.js'
import { chargeRailOf, type Rails } from '../../rails/find-rail.js'
import type { ReceiverShare } from '../../rails/processor-adapter.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { ChargeRecord } from '../../store/charge-records.js'
import type { Charge, StoredRefund } from '../../store/charge.entity.js'
import type { Stores } from '../../store/stores.js'
import { isSharedByProvider } from '../charges/application.js'
import { clearDoubt, doubtRefusal, endAmongDone, failAfterDoubt, isRefusal, isStoodFor } from './doubted-refund.js'
import { refundIn, refundJob, type RefundJob } from './refund-jobs.js'
import { platformFeeOf } from '../charges/new-charge.js'
import { acceptRefusal, cutToLeft } from './refuse-refund.js'
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
  if (isRefundOver(refund)) return clearMade(deps, refund)
  const { charge } = record
  try {
    await bringOn(deps, rail, { job, record, refund })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn({ paymentId: charge.paymentId, receiptId, err: error }, 'a refund could not be sent yet')
    if (isRefusal(error) && refund.origin === 'tenant') await acceptRefusal(deps, rail, { charge, refund })
    else if (isRefusal(error) && (await cutToLeft(deps, rail, charge, refund)) === 'nothing left') return
    else if (isRefusal(error) || isLasting(error)) {
      await deps.alerts.raise({ kind: 'return_refused', subject: receiptId, details: error.message })
    }
  }
  const present = refundIn(await deps.charges.readByReceivedPayment(railName, receiptId), job)
  if (!present) return
  await clearMade(deps, present)
  if (!isRefundOver(present)) await deps.addJobNow(refundJob(present, nextTry(present, deps.clock.now())))
}

/** Whether a provider goes on answering so until somebody does something about it; the refund waits meanwhile, and others of its charge behind it. */
function isLasting({ kind }: ProviderError): boolean {
  return kind === 'auth' || kind === 'conflict' || kind === 'not_found'
}

/** Takes alerts back once a refund is made: what was told of its charge, and whatever was in doubt of it alone. */
async function clearMade(deps: SendRefundDeps, refund: StoredRefund): Promise<void> {
  if (refund.status === 'done' || isStoodFor(refund)) await deps.alerts.clear('return_refused', refund.receiptId)
  await clearDoubt(deps, refund)
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
  let answer: { isAmongDone?: boolean; isOfLost?: boolean } = {}
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
    const order = {
      receiptId,
      providerRefundId,
      amount,
      orderedAt: refund.createdAt,
      doneBefore,
      receivers,
      platformFee,
    }
    answer = await rail.adapter
      .refund(order)
      .catch((error: unknown) => doubtRefusal(deps, rail, { job: open.job, refund, isFirstTry, error }))
  }
  // The charge shows the refund, and what it shows is booked; there is one place where money is booked.
  await syncCharge(deps, rail, charge)
  if (answer.isAmongDone === true) await endAmongDone(deps, rail, { job: open.job, isOfLost: answer.isOfLost === true })
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
  if (isRefused) await failAfterDoubt(deps, rail, present.charge, left)
  return undefined
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
