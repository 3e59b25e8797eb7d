import type { JobRequest } from '../../../../kernel/jobs.js'
import type { Broadcast } from '../../store/broadcasts.js'

export const CONFIRM_PAYMENT = 'confirm-payment'
export const SETTLE_SPLIT = 'settle-split'
export const FOLLOW_ROUTE = 'follow-route'
export const WATCH_DROPPED = 'watch-given-up'
export const FIND_SENT = 'find-sent'
export const WATCH_BUILT = 'watch-built'

/** What the jobs of a broadcast payment carry. */
export interface BroadcastJob {
  tenantId: string
  paymentId: string
  hash: string
}

/** A job that asks nodes about its transaction alone remembers when it last did; ISO 8601. */
export interface LookingJob extends BroadcastJob {
  askedAt?: string | undefined
}

/** The request that broadcasts a transaction normally sees its end; the job comes after it, for when it did not. */
const REQUEST_HEAD_START_MS = 2_000

/** Resumes a broadcast whose request may have died. */
export function confirmJob(broadcast: Broadcast, now: Date): JobRequest {
  return { ...jobOf(CONFIRM_PAYMENT, broadcast), runAt: new Date(now.getTime() + REQUEST_HEAD_START_MS) }
}

/** Shares out what a split's address holds. */
export function settleSplitJob(broadcast: BroadcastJob): JobRequest {
  return jobOf(SETTLE_SPLIT, broadcast)
}

/** Asks the router about a transaction on its way to another chain. */
export function followRouteJob(broadcast: BroadcastJob): JobRequest {
  return jobOf(FOLLOW_ROUTE, broadcast)
}

/** When a transaction that is not waited for any more is first looked for. */
const WATCH_AFTER_MS = 300_000

/** Looks whether a block has taken a transaction after all. */
export function watchDroppedJob(broadcast: BroadcastJob, now: Date): JobRequest {
  return again(WATCH_DROPPED, broadcast, now, WATCH_AFTER_MS)
}

/** A transaction that was handed in by its hash before any node knew it. */
export interface FindSentJob extends LookingJob {
  /** ISO 8601. */
  since: string
}

/** Looks for it. */
export function findSentJob(job: FindSentJob, runAt: Date): JobRequest {
  return { ...jobOf(FIND_SENT, job), payload: job, runAt }
}

/** A transaction that was built for a wallet, and may be sent though nobody hands it in. */
export interface WatchBuiltJob {
  tenantId: string
  paymentId: string
  /** The quote that it was built with. */
  quoteId: string
  /** ISO 8601. */
  builtAt: string
  /** Where the last look ended, see `OnChain.findSpent`. */
  place?: string
}

/** Looks for it. */
export function watchBuiltJob(job: WatchBuiltJob, runAt: Date): JobRequest {
  return { name: WATCH_BUILT, payload: job, key: `${WATCH_BUILT}:${job.quoteId}`, runAt }
}

/** The job of this name, `delayMs` from now. */
export function again(name: string, broadcast: BroadcastJob, now: Date, delayMs: number): JobRequest {
  return { ...jobOf(name, broadcast), runAt: new Date(now.getTime() + delayMs) }
}

/**
 * One job of a name is planned at a time for a payment and its transaction; by its key it is found where open work is compared with jobs
 * (`store/missing-jobs.ts`). One transaction may pay several payments, of several tenants: each has its job.
 */
function jobOf(name: string, { tenantId, paymentId, hash }: BroadcastJob): JobRequest {
  const payload: BroadcastJob = { tenantId, paymentId, hash }
  return { name, payload, key: `${name}:${paymentId}:${hash}` }
}
