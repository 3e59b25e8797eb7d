import type { JobRequest } from '../../../kernel/jobs.js'
import type { Subscription } from '../store/subscription.entity.js'

export const RENEW_SUBSCRIPTION = 'renew-subscription'
export const CHARGE_SUBSCRIPTION = 'charge-subscription'

/**
 * All payments of an order with a date fall due in the same second, and a charge holds its place in the worker for as long as
 * the processor takes: what providers, payers and other tenants wait for goes first. That is the watch of charges too (10): only
 * it sees a Pix expire, or paid where no callback comes. E-mails to payers go after this (12).
 */
const PRIORITY = 11

/** While a tenant is disabled, or has lost the product, its subscriptions are looked at so often. */
export const DISABLED_DELAY_MS = 3_600_000

/** Whose next payment is due. */
export interface RenewJob {
  tenantId: string
  subscriptionId: string
}

/** Which attempt to charge which period's payment. */
export interface ChargePeriodJob {
  tenantId: string
  subscriptionId: string
  period: number
  attempt: number
}

/** Registers the next payment when it is due; one such job of a subscription waits at a time. */
export function renewJob({ tenantId, id }: Pick<Subscription, 'tenantId' | 'id'>, runAt: Date): JobRequest {
  const payload: RenewJob = { tenantId, subscriptionId: id }
  return { name: RENEW_SUBSCRIPTION, payload, runAt, key: `${RENEW_SUBSCRIPTION}:${id}`, priority: PRIORITY }
}

/** Charges a period's payment for the attempt that is to come; of each attempt one job waits at a time. */
export function chargePeriodJob(
  { tenantId, subscriptionId, period, attempt }: ChargePeriodJob,
  runAt: Date,
): JobRequest {
  const payload: ChargePeriodJob = { tenantId, subscriptionId, period, attempt }
  return { name: CHARGE_SUBSCRIPTION, payload, runAt, key: attemptKey(payload), priority: PRIORITY }
}

/** Names an attempt; the charge that it makes bears it, so that its outcome is told from that of a payer's own attempt. */
export function attemptKey(job: Pick<ChargePeriodJob, 'subscriptionId' | 'period' | 'attempt'>): string {
  return `${CHARGE_SUBSCRIPTION}:${job.subscriptionId}:${job.period}:${job.attempt}`
}
