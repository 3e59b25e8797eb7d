import { compare, isPositive } from '../../../../kernel/money.js'
import { isRefundOver, refundableAmount } from '../../model/refund-rules.js'
import type { ChargeRail } from '../../rails/rail.js'
import { chargeSummary } from '../../settlement/charge-summary.js'
import type { Charge, StoredRefund } from '../../store/charge.entity.js'
import type { RecordedChange } from '../../store/payment-changes.js'
import type { Stores } from '../../store/stores.js'
import type { ChargeUpdate } from '../charges/application.js'
import { tellReplaced } from '../charges/tell-replaced.js'
import { syncCharge, type SyncChargeDeps } from '../charges/sync-charge.js'
import { refundEventJob } from './refund-event.js'
import { moveRefund } from './record-refunds.js'

/**
 * The provider refuses, and has no such refund: one that a tenant has ordered has failed.
 * @param isTold whether an operator knows more of it than that it was refused
 */
export async function acceptRefusal(
  deps: SyncChargeDeps,
  rail: ChargeRail,
  { charge, refund, isTold = false }: { charge: Charge; refund: StoredRefund; isTold?: boolean },
): Promise<void> {
  const { tenantId, paymentId } = charge
  await deps.payments.change(tenantId, paymentId, async (payment, em): Promise<RecordedChange | undefined> => {
    const record = await deps.charges.load(em, charge)
    const stored = record.refunds.find(({ receiptId, id }) => receiptId === refund.receiptId && id === refund.id)
    if (!stored || isRefundOver(stored)) return undefined
    const update: ChargeUpdate = { deps, rail, em, payment, record, now: deps.clock.now(), causes: [], change: {} }
    await moveRefund(update, stored, 'refused', { isTold })
    const globalPaymentData = chargeSummary(record, await deps.payouts.lockAll(em, payment))
    return { change: { ...update.change, globalPaymentData }, cause: 'return_refused', notify: false }
  })
}

/**
 * A refund that was booked as made at the provider is the one that its tenant has ordered: it takes the order's id, under which the tenant
 * finds it done. What was put aside for the order is given back, and its row keeps the other id, as a refund that has failed: its tenant was
 * told that it has succeeded, and is told of that in an event of its own.
 */
export async function standInFor(
  deps: SyncChargeDeps,
  rail: ChargeRail,
  { charge, refund, booked }: { charge: Charge; refund: StoredRefund; booked: StoredRefund },
): Promise<void> {
  const { tenantId, paymentId } = charge
  await deps.payments.change(tenantId, paymentId, async (payment, em): Promise<RecordedChange | undefined> => {
    const record = await deps.charges.load(em, charge)
    const find = ({ receiptId, id }: StoredRefund): StoredRefund | undefined =>
      record.refunds.find((one) => one.receiptId === receiptId && one.id === id)
    const [ordered, done] = [find(refund), find(booked)]
    if (!ordered || !done || isRefundOver(ordered) || done.status !== 'done') return undefined
    const { refundId: orderedId } = ordered
    const { refundId: doneId, reason } = done
    // Ids are unique: one has to be free before the other row can take it.
    done.refundId = null
    await em.flush()
    ordered.refundId = doneId
    await em.flush()
    Object.assign(done, { refundId: orderedId, reason: ordered.reason } satisfies Partial<StoredRefund>)
    ordered.reason = reason
    const update: ChargeUpdate = { deps, rail, em, payment, record, now: deps.clock.now(), causes: [], change: {} }
    await moveRefund(update, ordered, 'refused', { isReplaced: true })
    await em.flush()
    await deps.addJob(em, refundEventJob(done, 'ended'))
    const globalPaymentData = chargeSummary(record, await deps.payouts.lockAll(em, payment))
    return { change: { ...update.change, globalPaymentData }, cause: 'return_done', notify: false }
  })
}

/**
 * The provider refuses to refund money that pays no payment, and so is the payer's: the job asks again, and an operator is told.
 * Where somebody has refunded a part in the provider's dashboard, or the payer's bank has charged a part back, the refund is cut to
 * the rest; where all was refunded there, nothing is left to do. As long as the bank holds what it has charged back, the job goes
 * on: the chargeback may be won.
 * @returns 'nothing left' where the refund has ended so
 */
export async function cutToLeft(
  deps: SyncChargeDeps & Pick<Stores, 'alerts'>,
  rail: ChargeRail,
  charge: Charge,
  refund: StoredRefund,
): Promise<'nothing left' | undefined> {
  await syncCharge(deps, rail, charge)
  let outcome: 'nothing left' | undefined
  await deps.payments.change(
    charge.tenantId,
    charge.paymentId,
    async (payment, em): Promise<RecordedChange | undefined> => {
      const record = await deps.charges.load(em, charge)
      const { receivedPayments, refunds } = record
      const stored = refunds.find(({ receiptId, id }) => receiptId === refund.receiptId && id === refund.id)
      const received = receivedPayments.find(({ id }) => id === refund.receiptId)
      if (!stored || !received || isRefundOver(stored)) return undefined
      const others = refunds.filter((one) => one !== stored)
      const left = refundableAmount(received, others)
      const isTaken = others.some(({ forced, status }) => forced && status === 'done')
      const isCut = isPositive(left) && compare(left, stored.amount) < 0
      const isOver = !isPositive(left) && !isTaken
      if (!isCut && !isOver) return undefined
      if (isCut) stored.amount = left
      else Object.assign(stored, { status: 'refused', endedAt: deps.clock.now() } satisfies Partial<StoredRefund>)
      outcome = isOver ? 'nothing left' : undefined
      // With its end, as nothing comes back to it then.
      if (isOver) await deps.alerts.clearIn(em, 'return_refused', refund.receiptId)
      await em.flush()
      // No look at the charge finds anything new of it: the payment, whose charge may be another by now, would show it for ever.
      const now = deps.clock.now()
      return tellReplaced({ deps, rail, em, payment, record, now, causes: ['return_refused'], change: {} })
    },
  )
  return outcome
}
