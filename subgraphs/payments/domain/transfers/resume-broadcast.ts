import { isRefusal } from '../../../../chains/sender/send-stored.js'
import { AppError } from '../../../../kernel/errors.js'
import { backoffByAge } from '../../model/backoff.js'
import type { Runtime } from '../../model/runtime.js'
import type { OnChains } from '../../rails/on-chain.js'
import type { Broadcast } from '../../store/broadcasts.js'
import type { Stores } from '../../store/stores.js'
import { confirmOnce, isDropped, type ConfirmPaymentDeps } from './confirm-payment.js'
import { ensureSent, type SendBroadcastDeps } from './send-broadcast.js'
import { again, CONFIRM_PAYMENT, type BroadcastJob } from './transfer-jobs.js'

/** What resuming a broadcast needs. */
export type ResumeBroadcastDeps = ConfirmPaymentDeps &
  OnChains &
  SendBroadcastDeps &
  Pick<Runtime, 'log'> &
  Pick<Stores, 'addJobNow'>

const BACKOFF = { shortestMs: 1_000, longestMs: 300_000 }

/** Ends of the payment that are written down already. */
const ENDS = ['payment_failed', 'invalid_payment_status']

/**
 * A transaction that was sent and that a node does not know after this has fallen out of the pools, or never got into one. To
 * send the same bytes again is harmless, and on Solana there is little time: a blockhash lives some 30 seconds.
 */
const FORGOTTEN_AFTER_MS = 10_000

/** The job that resumes a broadcast transaction until it is final, whatever became of the request that broadcast it. */
export async function resumeBroadcast(deps: ResumeBroadcastDeps, job: BroadcastJob): Promise<void> {
  const broadcast = await deps.broadcasts.find(job.tenantId, job.paymentId, job.hash)
  if (!broadcast || broadcast.state === 'final') return
  const family = deps.settings.chains.find(({ name }) => name === broadcast.chainName)?.family
  const onChain = family && deps.onChain[family]
  if (!onChain) throw new Error(`the chain ${broadcast.chainName} is not configured any more`)
  try {
    await ensureSent(deps, onChain, broadcast, mayBeForgotten(deps, broadcast))
    if ((await confirmOnce(deps, onChain, broadcast)) !== undefined) return
  } catch (error) {
    // What is written down already leaves nothing for the job to do.
    if (isRefusal(error) || (error instanceof AppError && ENDS.includes(error.code))) return
    deps.log.warn({ paymentId: broadcast.paymentId, err: error }, 'a broadcast transaction could not be retrieved')
  }
  const now = deps.clock.now()
  await deps.addJobNow(again(CONFIRM_PAYMENT, job, now, backoffByAge(broadcast.createdAt, now, BACKOFF)))
}

/** Whether a transaction that was sent is sent again where no node shows it; long after its quote it is not. */
function mayBeForgotten(deps: ResumeBroadcastDeps, { createdAt }: Broadcast): boolean {
  const ageMs = deps.clock.now().getTime() - createdAt.getTime()
  return ageMs >= FORGOTTEN_AFTER_MS && !isDropped(deps, ageMs)
}
