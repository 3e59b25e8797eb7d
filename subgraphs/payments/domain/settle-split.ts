import { AppError } from '../../../kernel/errors.js'
import type { PaymentsDeps } from '../deps.js'
import type { Payment } from '../store/payment.entity.js'
import { succeeded } from './confirm-payment.js'
import { again, SETTLE_SPLIT, type RelayJob } from './payment-jobs.js'

const SOON_MS = 1_000
const LATER_MS = 15_000
/** What no node takes is refused again, unless its receivers change; each try may cost the operator gas. */
const REFUSED_MS = 600_000
/** Errors by which the split itself cannot be shared out, whoever tries. */
const REFUSALS = ['broadcast_rejected', 'broadcast_simulation_failed']

/**
 * The job that shares out what a split's address holds: one step at a time, each decided by what the chain shows, so that
 * it may be interrupted and repeated anywhere. The payment succeeds once nothing is left there.
 */
export async function settleSplit(deps: PaymentsDeps, job: RelayJob): Promise<void> {
  const payment = await deps.payments.find(job.tenantId, job.paymentId)
  if (payment?.status !== 'pending' || payment.tidHash !== job.hash) return
  const delayMs = await nextStep(deps, payment).catch(async (error: unknown) => {
    if (!(error instanceof AppError)) throw error
    // Nothing is lost while the chain is away or the operator is out of gas: the money waits at the split's address.
    deps.log.error(
      { paymentId: payment.id, errorCode: error.code, details: error.details },
      'a split waits for the operator',
    )
    if (!REFUSALS.includes(error.code)) return LATER_MS
    await deps.alerts.raise({ kind: 'split_failed', subject: payment.id, details: error.details ?? error.code })
    return REFUSED_MS
  })
  if (delayMs !== undefined) await deps.addJobNow(again(SETTLE_SPLIT, job, deps.clock.now(), delayMs))
}

/** Does one step. Returns when to look again, in milliseconds; undefined when all is done. */
async function nextStep(deps: PaymentsDeps, payment: Payment): Promise<number | undefined> {
  const settled = await deps.settleStep(payment)
  if (settled !== 'done') return settled === 'stepped' ? SOON_MS / 10 : SOON_MS
  await deps.payments.change(payment.tenantId, payment.id, async (locked) =>
    locked.status === 'pending' && locked.tidHash === payment.tidHash ? succeeded(payment.tidHash ?? '') : undefined,
  )
  return undefined
}
