import { inCents } from '../../model/in-cents.js'
import { compare } from '../../../../kernel/money.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { isRefundOver } from '../../model/refund-rules.js'
import { REFUND_ID_TAKEN } from '../../rails/processor-adapter.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge, StoredRefund } from '../../store/charge.entity.js'
import type { Stores } from '../../store/stores.js'
import type { SyncChargeDeps } from '../charges/sync-charge.js'
import { refundIn, type RefundJob } from './refund-jobs.js'
import { acceptRefusal, standInFor } from './refuse-refund.js'

/** What deciding about a refund that may have been made before needs. */
type DoubtDeps = SyncChargeDeps & Pick<Stores, 'alerts'>

/**
 * What a refusal says of a refund that may have been made all the same: it is noted, and the refund is not sent any more. So it is where an id
 * is known to the provider from another request, and for a while only: once it has forgotten it, the same order would be made a second time.
 * At the first try that was a request which the database has lost; later it may be our own of before, which is still at work.
 * @throws the error itself where the refund may be sent again, or has not been made
 */
export async function doubtRefusal(
  deps: DoubtDeps,
  rail: ChargeRail,
  { job, refund, isFirstTry, error }: { job: RefundJob; refund: StoredRefund; isFirstTry: boolean; error: unknown },
): Promise<{ isAmongDone: boolean; isOfLost: boolean }> {
  const isForgotten = rail.adapter.refundIdLifeMs !== undefined
  const isConflict = isForgotten && error instanceof ProviderError && error.kind === 'conflict'
  const isDoubtful = isConflict || (!isFirstTry && isRefusal(error))
  if (!isDoubtful || refund.origin !== 'tenant') throw error
  const { id, receiptId, amount } = refund
  deps.log.warn({ refundId: id, receiptId, err: error }, 'a refund was refused that may have been made before')
  const isMade = isConflict && isFirstTry && error.providerCode === REFUND_ID_TAKEN
  // Before it is marked, which ends its tries: where the look below fails nothing would come back to this.
  if (isMade && (await endMadeBefore(deps, rail, job))) return { isAmongDone: false, isOfLost: false }
  const known = `${rail.name} may know ${id} from another request, and nobody knows whether ${amount} went back`
  if (isConflict) await leaveInDoubt(deps, refund, `${known}: it is not sent again`)
  else await deps.charges.markRefundRefused(refund, deps.clock.now())
  return { isAmongDone: isMade, isOfLost: isMade }
}

/**
 * Ends a refund whose key the provider has answered as before: it was made. Where its order was lost what is booked may be it. Else another
 * refund may have got its money: nobody knows which of them was made, and this one is not sent any more, as it would be made a second time
 * once its key is forgotten.
 */
export async function endAmongDone(
  deps: DoubtDeps,
  rail: ChargeRail,
  { job, isOfLost }: { job: RefundJob; isOfLost: boolean },
): Promise<void> {
  if (isOfLost && (await endMadeBefore(deps, rail, job))) return
  const refund = refundIn(await deps.charges.readByReceivedPayment(rail.name, job.receiptId), job)
  if (refund?.origin !== 'tenant' || isRefundOver(refund)) return
  const told = `${rail.name} answers that ${refund.id} was made before, and shows nothing that ${refund.amount} may have gone back as`
  await leaveInDoubt(deps, refund, `${told}: it is not sent again`)
}

/** Notes that a refund may have been made, so that it is not sent any more. An operator is told first: its mark leads to its end. */
async function leaveInDoubt(deps: DoubtDeps, refund: StoredRefund, details: string): Promise<void> {
  await tellDoubt(deps, refund, details)
  await deps.charges.markRefundRefused(refund, deps.clock.now())
}

/** Tells an operator once of a refund that must not be ordered again. What was told first stays: it is what was known when it was sent. */
async function tellDoubt({ alerts }: DoubtDeps, { id }: StoredRefund, details: string): Promise<void> {
  await alerts.raiseOnce({ kind: 'return_in_doubt', subject: id, details })
}

/** Takes back what was told of a refund once it is proved that this one was made; else a person closes it. */
export async function clearDoubt({ alerts }: DoubtDeps, refund: StoredRefund): Promise<void> {
  if (refund.status === 'done' || isStoodFor(refund)) await alerts.clear('return_in_doubt', refund.id)
}

/** Whether a booked refund is the one that its tenant has ordered: that one has the order's id, and is made. */
export function isStoodFor({ id, refundId, origin }: StoredRefund): boolean {
  return origin === 'tenant' && refundId !== id
}

/** Fails a refund of which the provider shows nothing long after it has refused it. */
export async function failAfterDoubt(
  deps: DoubtDeps,
  rail: ChargeRail,
  charge: Charge,
  refund: StoredRefund,
): Promise<void> {
  // The alert of a refusal says that it may be ordered again.
  const isTold = await deps.alerts.isTold('return_in_doubt', refund.id)
  await acceptRefusal(deps, rail, { charge, refund, isTold })
}

/**
 * Ends a refund that its tenant has ordered again, as the database had lost the order, after what went back was shown and booked as somebody's
 * at the provider: the provider has answered as before, and refunds it a second time once it does not know the key any more. Where exactly
 * its amount was booked, that is the refund which its tenant has ordered, and has its id from then on. Where more was booked in one sum
 * the order fails, and an operator is told before that.
 * @returns whether it is over
 */
async function endMadeBefore(deps: DoubtDeps, rail: ChargeRail, job: RefundJob): Promise<boolean> {
  const record = await deps.charges.readByReceivedPayment(rail.name, job.receiptId)
  const refund = refundIn(record, job)
  if (!record || refund?.origin !== 'tenant') return false
  if (isRefundOver(refund)) return true
  const { charge } = record
  const all = record.refunds.filter((one) => isBookedFor(one, refund) && !isTaken(one, record.refunds))
  const booked = all.find(({ amount }) => compare(amount, refund.amount) === 0) ?? all[0]
  if (!booked) return false
  if (compare(booked.amount, refund.amount) === 0) {
    await standInFor(deps, rail, { charge, refund, booked })
    return true
  }
  const { receiptId, amount } = refund
  const before = `${inCents(amount)} of ${receiptId} went back before, as the refund ${booked.refundId ?? booked.id}`
  await tellDoubt(deps, refund, `${before}: ${refund.id} is not made again`)
  await acceptRefusal(deps, rail, { charge, refund, isTold: true })
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

/** Whether a provider has refused what it was asked for, as far as it says itself. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'declined'
}
