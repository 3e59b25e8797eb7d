import type { JobRequest } from '../../../kernel/jobs.js'
import type { Charge, StoredReturn } from '../store/charge.entity.js'
import type { Alert } from '../store/operator-alerts.js'

export const WATCH_CHARGE = 'watch-charge'
export const PROCESS_PROVIDER_EVENT = 'process-provider-event'
export const RETURN_RECEIPT = 'return-receipt'
export const ENSURE_CALLBACKS = 'ensure-callbacks'
export const RAISE_ALERT = 'raise-alert'

/** Which charge to look at. */
export interface ChargeJob {
  tenantId: string
  chargeId: string
}

/** Which event of a provider to look into. */
export interface ProviderEventJob {
  provider: string
  eventKey: string
}

/** Which return to bring about. */
export interface ReturnJob {
  tenantId: string
  rail: string
  receiptId: string
  returnId: string
}

/** A charge is rarely paid within its first seconds; after that it is looked at whether or not a callback came. */
const FIRST_LOOK_MS = 15_000
/** A watch is the net below callbacks: nobody waits for it, so it never goes before what somebody waits for. */
const WATCH_PRIORITY = 10
/** An event that names money which the provider does not show yet is looked into again; after that the watch finds it. */
const EVENT_ATTEMPTS = 8

/** Tells the operator, once the transaction of what is to be told has been committed. */
export function alertJob(alert: Alert): JobRequest {
  return { name: RAISE_ALERT, payload: alert }
}

/** Looks at a charge for the first time. */
export function firstLookJob(charge: Charge, now: Date): JobRequest {
  return watchJob(charge, new Date(now.getTime() + FIRST_LOOK_MS))
}

/** Looks at a charge later; one look is planned at a time. */
export function watchJob({ tenantId, id }: Charge, runAt: Date): JobRequest {
  const payload: ChargeJob = { tenantId, chargeId: id }
  return { name: WATCH_CHARGE, payload, runAt, key: `${WATCH_CHARGE}:${id}`, priority: WATCH_PRIORITY }
}

/** Looks into what a provider told. */
export function providerEventJob(job: ProviderEventJob): JobRequest {
  return { name: PROCESS_PROVIDER_EVENT, payload: job, maxAttempts: EVENT_ATTEMPTS }
}

/** Brings a return about. */
export function returnJob({ tenantId, rail, receiptId, id }: StoredReturn, runAt?: Date): JobRequest {
  const payload: ReturnJob = { tenantId, rail, receiptId, returnId: id }
  return { name: RETURN_RECEIPT, payload, key: `${RETURN_RECEIPT}:${receiptId}:${id}`, ...(runAt && { runAt }) }
}
