import { compare, isPositive } from '../../../../kernel/money.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { backoffByAge } from '../../model/backoff.js'
import { isRefundOver, refundableAmount } from '../../model/refund-rules.js'
import { chargeRailOf, type Rails } from '../../rails/find-rail.js'
import type { ChargeRail } from '../../rails/rail.js'
import { chargeSummary } from '../../settlement/charge-summary.js'
import type { ChargeRecord } from '../../store/charge-records.js'
import type { Charge, StoredRefund } from '../../store/charge.entity.js'
import type { RecordedChange } from '../../store/payment-changes.js'
import type { Stores } from '../../store/stores.js'
import { isSharedByProvider, type ChargeUpdate } from '../charges/application.js'
import { refundJob, type RefundJob } from './refund-jobs.js'
import { platformFeeOf } from '../charges/new-charge.js'
import { moveRefund } from './record-refunds.js'
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
  if (!record || !refund || !rail || isRefundOver(refund)) return
  const { charge } = record
  try {
    await bringOn(deps, rail, { job, record, refund })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn({ paymentId: charge.paymentId, receiptId, err: error }, 'a refund could not be sent yet')
    if (error.kind === 'declined' && refund.origin === 'tenant') await acceptRefusal(deps, rail, charge, refund)
    else if (error.kind === 'declined' && (await cutToLeft(deps, rail, charge, refund)) === 'nothing left') {
      await deps.alerts.clear('return_refused', receiptId)
      return
    } else if (error.kind === 'declined') {
      await deps.alerts.raise({ kind: 'return_refused', subject: receiptId, details: error.message })
    }
  }
  const present = refundIn(await deps.charges.readByReceivedPayment(railName, receiptId), job)
  if (!present) return
  if (present.status === 'done') await deps.alerts.clear('return_refused', receiptId)
  if (!isRefundOver(present)) await deps.addJobNow(refundJob(present, nextTry(present, deps.clock.now())))
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
  // What somebody has the provider refund by itself is only followed.
  if (!isBehind && refund.origin !== 'provider') {
    await deps.charges.markRefundSent(refund, deps.clock.now())
    const { receiptId, id: providerRefundId, amount, platformFee: fee } = refund
    const doneBefore = others.filter(({ forced, status }) => !forced && status === 'done').map((one) => one.amount)
    const received = record.receivedPayments.find((one) => one.id === receiptId)
    const isWhole = received !== undefined && compare(amount, received.amount) === 0
    // Of money that pays nothing, and that the provider may have shared out all the same, it takes each part back by itself.
    const isOurs = !isWhole && refund.origin === 'tenant'
    const receivers = isOurs ? await sharersOf(deps, rail, charge) : undefined
    const platformFee = platformFeeOf(charge, fee)
    await rail.adapter.refund({ receiptId, providerRefundId, amount, doneBefore, receivers, platformFee })
  }
  // The charge shows the refund, and what it shows is booked; there is one place where money is booked.
  await syncCharge(deps, rail, charge)
}

/**
 * The refund as it may be sent. One that was sent so long ago that the provider may not know its id any more, and would refund it a
 * second time, is looked for first: what of the money the charge shows as gone and nothing else accounts for is this one
 * (`namedRefunds`). Where the charge does not show the money at all nobody can tell, and an operator is told instead.
 * @returns undefined where it is over, or must not be sent
 */
async function unsentOf(
  deps: SendRefundDeps,
  rail: ChargeRail,
  { job, record, refund }: OpenRefund,
): Promise<Omit<OpenRefund, 'job'> | undefined> {
  const { name, adapter } = rail
  const { refundIdLifeMs = Infinity } = adapter
  const sentMs = refund.sentAt?.getTime() ?? Infinity
  if (deps.clock.now().getTime() - sentMs <= refundIdLifeMs) return { record, refund }
  const view = await syncCharge(deps, rail, record.charge)
  const present = await deps.charges.readByReceivedPayment(name, job.receiptId)
  const left = refundIn(present, job)
  if (!present || !left || isRefundOver(left)) return undefined
  if (view?.receivedPayments.some(({ id }) => id === job.receiptId)) return { record: present, refund: left }
  const details = `${name} does not show the charge, and nobody knows whether ${left.amount} went back: it is not sent again`
  await deps.alerts.raise({ kind: 'return_refused', subject: job.receiptId, details })
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

/** Those whom the provider has shared the money out to; undefined where it has not. */
async function sharersOf(deps: SendRefundDeps, rail: ChargeRail, { tenantId, paymentId }: Charge) {
  const payment = await deps.payments.find(tenantId, paymentId)
  if (!payment || !isSharedByProvider({ rail, payment })) return undefined
  return payment.splitPaymentConfig.filter(({ receiverPercent }) => receiverPercent > 0)
}

/** The provider refuses, and has no such refund: one that a tenant has ordered has failed. */
async function acceptRefusal(
  deps: SendRefundDeps,
  rail: ChargeRail,
  charge: Charge,
  refund: StoredRefund,
): Promise<void> {
  const { tenantId, paymentId } = charge
  await deps.payments.change(tenantId, paymentId, async (payment, em): Promise<RecordedChange | undefined> => {
    const record = await deps.charges.load(em, charge)
    const stored = record.refunds.find(({ receiptId, id }) => receiptId === refund.receiptId && id === refund.id)
    if (!stored || isRefundOver(stored)) return undefined
    const update: ChargeUpdate = { deps, rail, em, payment, record, now: deps.clock.now(), causes: [], change: {} }
    await moveRefund(update, stored, 'refused')
    const globalPaymentData = chargeSummary(record, await deps.payouts.lockAll(em, payment))
    return { change: { ...update.change, globalPaymentData }, cause: 'return_refused', notify: false }
  })
}

/**
 * The provider refuses to refund money that pays no payment, and so is the payer's: the job asks again, and an operator is told.
 * Where somebody has refunded a part in the provider's dashboard, or the payer's bank has charged a part back, the refund is cut to
 * the rest; where all was refunded there, nothing is left to do. As long as the bank holds what it has charged back, the job goes
 * on: the chargeback may be won.
 * @returns 'nothing left' where the refund has ended so
 */
async function cutToLeft(
  deps: SendRefundDeps,
  rail: ChargeRail,
  charge: Charge,
  refund: StoredRefund,
): Promise<'nothing left' | undefined> {
  await syncCharge(deps, rail, charge)
  let outcome: 'nothing left' | undefined
  await deps.payments.change(charge.tenantId, charge.paymentId, async (_payment, em) => {
    const { receivedPayments, refunds } = await deps.charges.load(em, charge)
    const stored = refunds.find(({ receiptId, id }) => receiptId === refund.receiptId && id === refund.id)
    const received = receivedPayments.find(({ id }) => id === refund.receiptId)
    if (!stored || !received || isRefundOver(stored)) return undefined
    const others = refunds.filter((one) => one !== stored)
    const left = refundableAmount(received, others)
    const isTaken = others.some(({ forced, status }) => forced && status === 'done')
    if (isPositive(left) && compare(left, stored.amount) < 0) stored.amount = left
    if (isPositive(left) || isTaken) return undefined
    Object.assign(stored, { status: 'refused', endedAt: deps.clock.now() } satisfies Partial<StoredRefund>)
    outcome = 'nothing left'
    return undefined
  })
  return outcome
}

function nextTry({ createdAt }: StoredRefund, now: Date): Date {
  return new Date(now.getTime() + backoffByAge(createdAt, now, RETRY_BACKOFF))
}
