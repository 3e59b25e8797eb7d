import type { PaymentsDeps } from '../deps.js'
import { succeeded } from './confirm-payment.js'
import { again, FOLLOW_ROUTE, settleSplitJob, type RelayJob } from './payment-jobs.js'

const LOOK_AGAIN_MS = 5_000

/** The job that asks the router about a transaction on its way to another chain, until it has arrived or failed. */
export async function followRoute(deps: PaymentsDeps, job: RelayJob): Promise<void> {
  const payment = await deps.payments.find(job.tenantId, job.paymentId)
  if (payment?.status !== 'pending' || payment.tidHash !== job.hash) return
  const progress = await deps.router.status(job.hash).catch((error: unknown) => {
    deps.log.warn({ paymentId: job.paymentId, err: error }, 'the router could not be asked')
    return { status: 'pending' as const, substatus: undefined }
  })
  if (progress.status === 'pending' || progress.status === 'not_found') {
    return deps.addJobNow(again(FOLLOW_ROUTE, job, deps.clock.now(), LOOK_AGAIN_MS))
  }
  await deps.payments.change(job.tenantId, job.paymentId, async (locked, em) => {
    if (locked.status !== 'pending' || locked.tidHash !== job.hash) return undefined
    if (progress.status === 'done') {
      if (!deps.isSplit(locked)) return succeeded(job.hash)
      await deps.addJob(em, settleSplitJob(job))
      return undefined
    }
    const message = `The router reports ${progress.status}.`
    const dataError = {
      code: `route_${progress.status}`,
      status: 'error',
      message,
      details: progress.substatus ?? null,
    }
    return { change: { status: 'error', dataError }, cause: `route_${progress.status}`, notify: true }
  })
}
