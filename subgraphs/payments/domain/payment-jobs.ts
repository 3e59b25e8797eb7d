import type { JobRequest } from '../../../kernel/jobs.js'
import type { Relay } from '../store/relays.js'

export const CONFIRM_PAYMENT = 'confirm-payment'
export const SETTLE_SPLIT = 'settle-split'
export const FOLLOW_ROUTE = 'follow-route'
export const WATCH_GIVEN_UP = 'watch-given-up'

/** What the jobs of a relayed payment carry. */
export interface RelayJob {
  tenantId: string
  paymentId: string
  hash: string
}

/** The request that relays a transaction normally sees its end; the job comes after it, for when it did not. */
const REQUEST_HEAD_START_MS = 2_000

/** Goes on with a relay whose request may have died. */
export function confirmJob(relay: Relay, now: Date): JobRequest {
  return { ...jobOf(CONFIRM_PAYMENT, relay), runAt: new Date(now.getTime() + REQUEST_HEAD_START_MS) }
}

/** Shares out what a split's address holds. */
export function settleSplitJob(relay: RelayJob): JobRequest {
  return jobOf(SETTLE_SPLIT, relay)
}

/** Asks the router about a transaction on its way to another chain. */
export function followRouteJob(relay: RelayJob): JobRequest {
  return jobOf(FOLLOW_ROUTE, relay)
}

/** When a transaction that is not waited for any more is first looked for. */
const WATCH_AFTER_MS = 300_000

/** Looks whether a block has taken a transaction after all. */
export function watchGivenUpJob(relay: RelayJob, now: Date): JobRequest {
  return again(WATCH_GIVEN_UP, relay, now, WATCH_AFTER_MS)
}

/** The job of this name, `delayMs` from now. */
export function again(name: string, relay: RelayJob, now: Date, delayMs: number): JobRequest {
  return { ...jobOf(name, relay), runAt: new Date(now.getTime() + delayMs) }
}

/** One job of a name is planned for a transaction at a time; by its key it is found where open work is compared with jobs. */
function jobOf(name: string, { tenantId, paymentId, hash }: RelayJob): JobRequest {
  const payload: RelayJob = { tenantId, paymentId, hash }
  return { name, payload, key: `${name}:${hash}` }
}
