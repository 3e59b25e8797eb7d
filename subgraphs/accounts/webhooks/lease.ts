import type { WebhookDeps } from './deps.js'
import { LEASE_MS, type AttemptJob, type RetryWebhook } from './store/webhook-queue.js'

/** Job time is the database's and leases are a process's: a job that comes a little too early does not come again at once. */
const SHORTEST_WAIT_MS = 1_000

/** When a lease ends that is taken now. It also tells the lease from any other. */
export function leaseEnd({ clock }: Pick<WebhookDeps, 'clock'>): Date {
  return new Date(clock.now().getTime() + LEASE_MS)
}

/**
 * Has the job of an attempt that could not be claimed come again when the lease on it ends, if there is one: whoever has it may
 * be dead, or may have been this very job, which got no answer to its claim.
 */
export async function waitForLease(
  { queue }: Pick<WebhookDeps, 'queue'>,
  job: AttemptJob<RetryWebhook>,
): Promise<void> {
  await queue.waitForLease(job, SHORTEST_WAIT_MS)
}
