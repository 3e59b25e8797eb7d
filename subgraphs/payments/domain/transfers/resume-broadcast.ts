import type { Chain } from '../../../../chains/chain.js'
import { isRefusal } from '../../../../chains/sender/send-stored.js'
import { AppError } from '../../../../kernel/errors.js'
import { backoffByAge } from '../../model/backoff.js'
import { isLookDue } from '../../model/look-alone.js'
import type { Runtime } from '../../model/runtime.js'
import type { OnChains } from '../../rails/on-chain.js'
import type { Stores } from '../../store/stores.js'
import { confirmOnce, isDropped, type ConfirmPaymentDeps, type RetrieveBroadcast } from './confirm-payment.js'
import { ensureSent, type SendBroadcastDeps } from './send-broadcast.js'
import { again, CONFIRM_PAYMENT, type LookingJob } from './transfer-jobs.js'

/** What resuming a broadcast needs. */
export type ResumeBroadcastDeps = ConfirmPaymentDeps &
  OnChains &
  SendBroadcastDeps &
  Pick<Runtime, 'log'> &
  Pick<Stores, 'addJobNow'>

const BACKOFF = { shortestMs: 1_000, longestMs: 300_000 }
/** After what failed: nodes may have been away for a second. */
const FAILED_BACKOFF = { shortestMs: 1_000, longestMs: 60_000 }

/** Ends of the payment that are written down already. */
const ENDS = ['payment_failed', 'invalid_payment_status']

/**
 * A transaction that no block has after this is overdue: it may have fallen out of the pools, or another may have taken its place. On
 * Solana there is little time, as a blockhash lives some 30 seconds; elsewhere some blocks may be full.
 */
const OVERDUE_MS: Readonly<Record<Chain['family'], number>> = { evm: 30_000, solana: 10_000 }

/**
 * The job that resumes a broadcast transaction until it is final, whatever became of the request that broadcast it. What waits for its
 * block costs a chain's nodes nothing of its own until it is overdue: the watch of this process looks for all.
 */
export async function resumeBroadcast(deps: ResumeBroadcastDeps, job: LookingJob): Promise<void> {
  const broadcast = await deps.broadcasts.find(job.tenantId, job.paymentId, job.hash)
  if (!broadcast || broadcast.state === 'final') return
  const family = deps.settings.chains.find(({ name }) => name === broadcast.chainName)?.family
  const onChain = family && deps.onChain[family]
  if (!onChain) throw new Error(`the chain ${broadcast.chainName} is not configured any more`)
  let { askedAt } = job
  let lookedAt = askedAt
  let backoff = BACKOFF
  const retrieve: RetrieveBroadcast = async (payment, ageMs) => {
    const watched = await onChain.retrieveWatched(payment, broadcast)
    if (watched) return watched
    const now = deps.clock.now()
    if (!isLookDue({ since: broadcast.createdAt, askedAt, now }, OVERDUE_MS[family])) return { kind: 'waiting' }
    lookedAt = now.toISOString()
    // To send the same bytes again is harmless; long after its quote they are not.
    await ensureSent(deps, onChain, broadcast, !isDropped(deps, ageMs))
    return onChain.retrieve(payment, broadcast, ageMs)
  }
  try {
    await ensureSent(deps, onChain, broadcast)
    if ((await confirmOnce(deps, onChain, broadcast, retrieve)) !== undefined) return
    // Only now: a look that failed has shown nothing, and is still due.
    askedAt = lookedAt
  } catch (error) {
    // What is written down already leaves nothing for the job to do.
    if (isRefusal(error) || (error instanceof AppError && ENDS.includes(error.code))) return
    deps.log.warn({ paymentId: broadcast.paymentId, err: error }, 'a broadcast transaction could not be retrieved')
    backoff = FAILED_BACKOFF
  }
  const now = deps.clock.now()
  const next = again(CONFIRM_PAYMENT, broadcast, now, backoffByAge(broadcast.createdAt, now, backoff))
  await deps.addJobNow(askedAt === undefined ? next : { ...next, payload: { ...next.payload, askedAt } })
}
