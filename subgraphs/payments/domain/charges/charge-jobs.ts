import type { JobRequest } from '../../../../kernel/jobs.js'
import type { Charge } from '../../store/charge.entity.js'

export const WATCH_CHARGE = 'watch-charge'
export const PROCESS_PROVIDER_EVENT = 'process-provider-event'
export const ENSURE_CALLBACKS = 'ensure-callbacks'

/** Which charge to sync. */
export interface ChargeJob {
  tenantId: string
  chargeId: string
}

/** Which event of a provider to look into. */
export interface ProviderEventJob {
  provider: string
  eventKey: string
}

/** A charge is rarely paid within its first seconds; after that it is looked at whether or not a callback came. */
const FIRST_SYNC_MS = 15_000
/** A watch is the net below callbacks: nobody waits for it, so it never goes before what a caller waits for. */
export const WATCH_PRIORITY = 10
/**
 * A watch that got no answer comes again behind all else: while a provider hangs each of them holds its place in the worker for seconds,
 * and there are as many as payers.
 */
export const UNANSWERED_PRIORITY = 13
/**
 * An event that names money, or a change, which the provider does not show yet is looked into again, for half an hour. What stays open, as
 * while a provider is away for longer, is taken up by `restoreLostJobs`.
 */
export const EVENT_ATTEMPTS = 8

/** Syncs a charge for the first time. */
export function firstSyncJob(charge: Charge, now: Date): JobRequest {
  return watchJob(charge, new Date(now.getTime() + FIRST_SYNC_MS))
}

/** Syncs a charge later; one sync is planned at a time. */
export function watchJob({ tenantId, id }: Pick<Charge, 'tenantId' | 'id'>, runAt: Date): JobRequest {
  const payload: ChargeJob = { tenantId, chargeId: id }
  return { name: WATCH_CHARGE, payload, runAt, key: `${WATCH_CHARGE}:${id}`, priority: WATCH_PRIORITY }
}

/** Looks into what a provider told; of each event one such job waits at a time. */
export function providerEventJob(job: ProviderEventJob): JobRequest {
  const key = `${PROCESS_PROVIDER_EVENT}:${job.provider}:${job.eventKey}`
  return { name: PROCESS_PROVIDER_EVENT, payload: job, key, maxAttempts: EVENT_ATTEMPTS }
}
