import { AppError } from '../../../../kernel/errors.js'
import { paymentFailure } from '../../model/payment-failure.js'
import type { Runtime } from '../../model/runtime.js'
import type { Arrivals } from '../../rails/on-chain.js'
import type { RouteProgress, Router, RouteStatus } from '../../router/router.js'
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

const POLL_MS = 5_000
/** Between two polls at what the router calls done and the chain does not show. */
const UNPROVED_MS = 60_000

/**
 * The job that asks the router about a transaction on its way to another chain, until it has arrived or failed. Where it
 * has arrived the destination's chain has the word: what it does not show is an operator's to find out, as the payer's
 * money is gone and must not be asked for again.
 */
export async function followRoute(deps: FollowRouteDeps, job: BroadcastJob): Promise<void> {
  const payment = await deps.payments.find(job.tenantId, job.paymentId)
  if (payment?.status !== 'pending' || payment.tidHash !== job.hash) return
  const delayMs = await followOnce(deps, job, payment).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    deps.log.warn({ paymentId: job.paymentId, err: error }, 'the router or the chain could not be asked')
    return POLL_MS
  })
  if (delayMs !== undefined) await deps.addJobNow(again(FOLLOW_ROUTE, job, deps.clock.now(), delayMs))
}

/** Returns when to look again, in milliseconds; undefined when it is over. */
async function followOnce(deps: FollowRouteDeps, job: BroadcastJob, payment: Payment): Promise<number | undefined> {
  const progress = await deps.router.status(job.hash)
  if (progress.status === 'pending' || progress.status === 'not_found') return POLL_MS
  if (progress.status === 'done') {
    const { receivingTxHash } = progress
    const arrival = receivingTxHash === undefined ? 'missing' : await deps.readArrival(payment, receivingTxHash)
    if (arrival === 'waiting') return POLL_MS
    if (arrival === 'missing') {
      const details = `the router calls ${job.hash} done with ${receivingTxHash ?? 'no transaction'}`
      await deps.alerts.raise({ kind: 'route_unproved', subject: job.paymentId, details })
      return UNPROVED_MS
    }
  }
  await endRoute(deps, job, { ...progress, status: progress.status })
  await deps.alerts.clear('route_unproved', job.paymentId)
  return undefined
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
    const code = `route_${progress.status}` as const
    const message = `The router reports ${progress.status}.`
    const dataError = paymentFailure(code, message, progress.substatus)
    return { change: { status: 'error', dataError }, cause: code, notify: true }
  })
}
