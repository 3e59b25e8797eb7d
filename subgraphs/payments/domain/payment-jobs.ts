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
  return { name: CONFIRM_PAYMENT, payload: payloadOf(relay), runAt: new Date(now.getTime() + REQUEST_HEAD_START_MS) }
}

/** Shares out what a split's address holds. */
export function settleSplitJob(relay: RelayJob): JobRequest {
  return { name: SETTLE_SPLIT, payload: payloadOf(relay) }
}

/** Asks the router about a transaction on its way to another chain. */
export function followRouteJob(relay: RelayJob): JobRequest {
  return { name: FOLLOW_ROUTE, payload: payloadOf(relay) }
}

/** The job of this name, `delayMs` from now. */
export function again(name: string, relay: RelayJob, now: Date, delayMs: number): JobRequest {
  return { name, payload: payloadOf(relay), runAt: new Date(now.getTime() + delayMs) }
}

function payloadOf({ tenantId, paymentId, hash }: RelayJob): RelayJob {
  return { tenantId, paymentId, hash }
}
