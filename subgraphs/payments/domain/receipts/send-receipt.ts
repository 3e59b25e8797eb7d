import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import { backoffByAge } from '../../model/backoff.js'
import { paidAtOf } from '../../model/paid-at.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { subscriptionTermsOf } from '../../model/subscription-terms.js'
import type { EmailReceiptDeps, ReceiptLanguage } from './email-receipt.js'
import { receiptJob, waitingReceiptJob, type ReceiptJob } from './receipt-jobs.js'
import { receiptMessage } from './receipt-message.js'

/** What sending a receipt needs. */
export type SendReceiptDeps = EmailReceiptDeps &
  Pick<Stores, 'addJobNow' | 'charges' | 'pool' | 'subscriptions'> & {
    /** How a tenant is called. */
    merchantNameOf: (tenantId: string) => Promise<string>
    sessionLink: (payment: Payment) => string
  }

/** While the receivers wait for their money, the receipt does: for seconds mostly, and for months where payouts are delayed. */
const LOOK_AGAIN = { shortestMs: 30_000, longestMs: 900_000 }
/** While another job sends it. */
const BUSY_DELAY_MS = 5_000

/**
 * The job that sends a receipt once its payment has succeeded. A process that dies between the mail server's yes and our note
 * of it sends it again, under the same `Message-ID`: a mailbox shows it once.
 */
export async function sendReceipt(deps: SendReceiptDeps, job: ReceiptJob): Promise<void> {
  const sent = await withAdvisoryLock(deps.pool, `send-receipt:${job.paymentId}`, () => send(deps, job))
  if (sent) return
  // A payer who asked again while it is sent has added this job, and the one that sends it is tried no more should it fail.
  await deps.addJobNow(receiptJob(job, new Date(deps.clock.now().getTime() + BUSY_DELAY_MS)))
}

async function send(deps: SendReceiptDeps, job: ReceiptJob): Promise<void> {
  const { tenantId, paymentId } = job
  const wanted = await deps.receiptEmails.find(tenantId, paymentId)
  const payment = await deps.payments.find(tenantId, paymentId)
  if (!deps.sendMail || !payment || wanted?.email == null) return
  const now = deps.clock.now()
  if (payment.status === 'pending') {
    const againMs = backoffByAge(new Date(wanted.requestedMs), now, LOOK_AGAIN)
    await deps.addJobNow(waitingReceiptJob(job, new Date(now.getTime() + againMs)))
    return
  }
  if (payment.status !== 'success') {
    await deps.receiptEmails.forget(tenantId, paymentId)
    return
  }
  const shop = await deps.merchantNameOf(tenantId)
  const charge = payment.chargeId ? await deps.charges.find(tenantId, payment.chargeId) : undefined
  const paidAt = await paidAtOf(payment, () => deps.payments.history(tenantId, paymentId))
  const [subscription] = await deps.subscriptions.ofPayments(tenantId, [paymentId])
  const terms = subscriptionTermsOf(payment, subscription)
  const context = { shop, page: deps.sessionLink(payment), at: paidAt ?? payment.updatedAt, charge, terms }
  await deps.sendMail({
    to: wanted.email,
    messageName: `receipt-${paymentId}`,
    ...receiptMessage(payment, wanted.language as ReceiptLanguage, context),
  })
  await deps.receiptEmails.markSent(tenantId, paymentId, now)
}
