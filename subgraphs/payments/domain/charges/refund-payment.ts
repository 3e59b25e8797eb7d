import { ProviderError } from '../../../../kernel/provider-error.js'
import { backoffByAge } from '../../model/backoff.js'
import { isRefundOver } from '../../model/refund-rules.js'
import { chargeRailOf, type Rails } from '../../rails/find-rail.js'
import type { StoredRefund } from '../../store/charge.entity.js'
import type { Stores } from '../../store/stores.js'
import { refundJob, type RefundJob } from './charge-jobs.js'
import { syncCharge, type SyncChargeDeps } from './sync-charge.js'

/** What refunding a payer needs. */
export type RefundPaymentDeps = SyncChargeDeps & Rails & Pick<Stores, 'addJobNow' | 'alerts'>

const RETRY_BACKOFF = { shortestMs: 5_000, longestMs: 900_000 }

/**
 * The job that refunds a payer: asked for under an id of ours, so that it goes back once however often the job
 * runs, and followed until the provider says that it is back.
 */
export async function refundPayment(deps: RefundPaymentDeps, job: RefundJob): Promise<void> {
  const { tenantId, rail: railName, receiptId, returnId } = job
  const key = { tenantId, rail: railName, receiptId, id: returnId }
  const refund = await deps.charges.findRefund(key)
  const rail = chargeRailOf(deps, railName)
  const charge = await deps.charges.findByReceivedPayment(railName, receiptId)
  if (!refund || !rail || !charge || isRefundOver(refund)) return
  try {
    await rail.adapter.refund({ receiptId, refundId: returnId, amount: refund.amount })
    // The charge shows the refund, and what it shows is booked; there is one place where money is booked.
    await syncCharge(deps, rail, charge)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn({ paymentId: charge.paymentId, receiptId, err: error }, 'a refund could not be sent yet')
    if (error.kind === 'declined') {
      await deps.alerts.raise({ kind: 'return_refused', subject: receiptId, details: error.message })
    }
  }
  const present = await deps.charges.findRefund(key)
  if (!present) return
  if (present.status === 'refused') {
    await deps.alerts.raise({ kind: 'return_refused', subject: receiptId })
  }
  if (!isRefundOver(present)) await deps.addJobNow(refundJob(present, nextTry(present, deps.clock.now())))
}

function nextTry({ createdAt }: StoredRefund, now: Date): Date {
  return new Date(now.getTime() + backoffByAge(createdAt, now, RETRY_BACKOFF))
}
