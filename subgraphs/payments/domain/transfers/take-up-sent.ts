import { AppError } from '../../../../kernel/errors.js'
import { backoffByAge } from '../../model/backoff.js'
import { isLookDue } from '../../model/look-alone.js'
import type { Runtime } from '../../model/runtime.js'
import type { Stores } from '../../store/stores.js'
import { isDropped } from './confirm-payment.js'
import { storeBroadcast, type ExecuteOnChainDeps } from './execute-on-chain.js'
import { findSent, isSentInBlock, type FindSentDeps } from './find-sent.js'
import { makeWay } from './make-way.js'
import { findSignedVersion } from './signed-version.js'
import { findSentJob, type FindSentJob } from './transfer-jobs.js'

/** What taking up a wallet's transaction needs. */
export type TakeUpSentDeps = ExecuteOnChainDeps & FindSentDeps & Pick<Runtime, 'log'> & Pick<Stores, 'addJobNow'>

/** What may be otherwise the next time. */
const PASSING: readonly string[] = ['confirm_rpc_unavailable', 'provider_unavailable', 'provider_timeout']

const BACKOFF = { shortestMs: 1_000, longestMs: 60_000 }
/**
 * Half of this after its request has first asked nodes the job asks them alone, and then each time its age has grown by a quarter: that
 * request may have ended. Whether a block has it is asked for all at once.
 */
const OVERDUE_MS = 20_000

/**
 * The job that looks for a transaction whose hash was handed in before any node knew it. Once a block has it, or a node knows it
 * for a while, it is verified and followed like a signed one. It is given up when no block can take it in time any more.
 */
export async function takeUpSent(deps: TakeUpSentDeps, job: FindSentJob): Promise<void> {
  const { tenantId, paymentId, hash, since } = job
  const payment = await deps.payments.find(tenantId, paymentId)
  if (!payment || (await deps.broadcasts.find(tenantId, paymentId, hash))) return
  const now = deps.clock.now()
  const runAt = new Date(now.getTime() + backoffByAge(new Date(since), now, BACKOFF))
  let { askedAt } = job
  try {
    const isDue = askedAt === undefined || isLookDue({ since: new Date(since), askedAt, now }, OVERDUE_MS)
    const raw = isDue || (await isSentInBlock(deps, payment, hash)) ? await findSent(deps, payment, hash) : undefined
    const free = raw === undefined ? undefined : await makeWay(deps, payment, raw)
    if (raw !== undefined && free) {
      await storeBroadcast(deps, free, await findSignedVersion(deps, free, raw), 'node')
      return
    }
    // Only now: a look that failed has shown nothing, and is still due.
    if (isDue) askedAt = now.toISOString()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    deps.log.warn({ paymentId, hash, err: error }, 'a transaction that was handed in by its hash was not taken up')
    if (!PASSING.includes(error.code)) return
  }
  if (isDropped(deps, now.getTime() - new Date(since).getTime())) return
  await deps.addJobNow(findSentJob({ ...job, askedAt }, runAt))
}
