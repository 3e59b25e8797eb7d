import { AppError } from '../../../../kernel/errors.js'
import { backoffByAge } from '../../model/backoff.js'
import { paymentFailure } from '../../model/payment-failure.js'
import type { Runtime } from '../../model/runtime.js'
import type { Arrivals } from '../../rails/on-chain.js'
import type { RouteProgress, Router, RouteStatus } from '../../router/router.js'
import { alertJob } from '../../settlement/alert-job.js'
import type { Alert } from '../../store/alerts.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { bookWalletPayment, type BookWalletPaymentDeps } from './book-wallet-payment.js'
import { succeeded } from './confirm-payment.js'
import { again, FOLLOW_ROUTE, settleSplitJob, type BroadcastJob } from './transfer-jobs.js'

/** What following a bridge needs. */
export type FollowRouteDeps = Arrivals &
  BookWalletPaymentDeps & { router: Router } & Pick<Runtime, 'clock' | 'log'> &
  Pick<Stores, 'addJob' | 'addJobNow' | 'alerts' | 'payments'>

/** A route that goes no further. */
type EndedRoute = RouteProgress & { status: Exclude<RouteStatus, 'not_found' | 'pending'> }

/** A bridge takes minutes; one that says nothing for hours may do so for ever. */
const BACKOFF = { shortestMs: 5_000, longestMs: 300_000 }
/** Of what the router calls done and the chain does not show. */
const UNPROVED_BACKOFF = { shortestMs: 60_000, longestMs: 300_000 }
/** After that an operator is told of a bridge that has neither arrived nor failed. */
const SILENT_MS = 3 * 3_600_000

/** What a look is repeated for, and whether the router says that it has paid. */
interface Waiting {
  details: string
  isUnproved?: true
}

/**
 * The job that asks the router about a transaction on its way to another chain, until it has arrived or failed. Where it
 * has arrived the destination's chain has the word: what it does not show is an operator's to find out, as the payer's
 * money is gone and must not be asked for again. So is what has not come for hours, and what the router calls failed or paid
 * in another token.
 */
export async function followRoute(deps: FollowRouteDeps, job: BroadcastJob): Promise<void> {
  const payment = await deps.payments.find(job.tenantId, job.paymentId)
  if (payment?.status !== 'pending' || payment.tidHash !== job.hash) return
  const waiting = await followOnce(deps, job, payment).catch((error: unknown): Waiting => {
    if (!(error instanceof AppError)) throw error
    deps.log.warn({ paymentId: job.paymentId, err: error }, 'the router or the chain could not be asked')
    return { details: `${begins(job)} nothing: it, or the destination's chain, cannot be asked` }
  })
  if (waiting) await lookLater(deps, job, payment.updatedAt, waiting)
}

/** @param since when the payer's transaction was final */
async function lookLater(
  deps: FollowRouteDeps,
  job: BroadcastJob,
  since: Date,
  { details, isUnproved }: Waiting,
): Promise<void> {
  const now = deps.clock.now()
  const alert: Alert = { kind: 'route_unproved', subject: job.paymentId, details }
  if (isUnproved) await deps.alerts.raise(alert)
  else if (now.getTime() - since.getTime() >= SILENT_MS) await deps.alerts.raiseOnce(alert, since)
  const delayMs = backoffByAge(since, now, isUnproved ? UNPROVED_BACKOFF : BACKOFF)
  await deps.addJobNow(again(FOLLOW_ROUTE, job, now, delayMs))
}

/** Returns what is waited for; undefined when it is over. */
async function followOnce(deps: FollowRouteDeps, job: BroadcastJob, payment: Payment): Promise<Waiting | undefined> {
  const progress = await deps.router.status(job.hash)
  const { status, receivingTxHash } = progress
  if (status === 'pending' || status === 'not_found') return { details: `${begins(job)} ${status}` }
  if (status === 'done') {
    const details = `${begins(job)} done with ${receivingTxHash ?? 'no transaction'}`
    const arrival = receivingTxHash === undefined ? 'missing' : await deps.readArrival(payment, receivingTxHash)
    if (arrival === 'waiting') return { details }
    if (arrival === 'missing') return { details, isUnproved: true }
  }
  await endRoute(deps, job, { ...progress, status })
  if (!isLost(status)) await deps.alerts.clear('route_unproved', job.paymentId, begins(job))
  return undefined
}

/** How an alert about a transaction begins: another one of the same payment may have failed before. */
function begins({ hash }: BroadcastJob): string {
  return `the router calls ${hash}`
}

/** Whether the payer's money has left him, and by the router's word neither he nor the receivers have it as it was asked for. */
function isLost(status: RouteStatus): boolean {
  return status === 'partial' || status === 'failed'
}

async function endRoute(deps: FollowRouteDeps, job: BroadcastJob, progress: EndedRoute): Promise<void> {
  await deps.payments.change(job.tenantId, job.paymentId, async (locked, em) => {
    if (locked.status !== 'pending' || locked.tidHash !== job.hash) return undefined
    if (progress.status === 'done') {
      if (deps.isSplit(locked)) {
        await deps.addJob(em, settleSplitJob(job))
        return undefined
      }
      await bookWalletPayment(deps, em, locked)
      return succeeded(job.hash)
    }
    if (isLost(progress.status)) await deps.addJob(em, alertJob(lossOf(job, progress)))
    const code = `route_${progress.status}` as const
    const message = `The router reports ${progress.status}.`
    const dataError = paymentFailure(code, message, progress.substatus)
    return { change: { status: 'error', dataError }, cause: code, notify: true }
  })
}

/** What an operator has to look into: only on the chains is it seen who has what. */
function lossOf(job: BroadcastJob, { status, substatus, receivingTxHash }: EndedRoute): Alert {
  const said = substatus === undefined ? status : `${status} (${substatus})`
  const details = `${begins(job)} ${said} with ${receivingTxHash ?? 'no transaction'}`
  return { kind: 'route_unproved', subject: job.paymentId, details }
}
