import type { Transaction } from '../../../kernel/database.js'
import type { SubscriptionEventType } from '../model/subscription.js'
import type { Subscription, SubscriptionPeriod } from '../store/subscription.entity.js'
import type { SubscriptionDeps } from './fail-attempt.js'
import { dueAtOf, periodAfter } from './periods.js'
import { renewJob } from './subscription-jobs.js'

/**
 * Makes a locked subscription that is past due active again once nothing of a period is owed any more, where no other period
 * has failed; what was missed meanwhile is left out.
 * @param type by which event tenants are told
 * @returns whether it was past due, and is no more
 */
export async function endPastDue(
  deps: Pick<SubscriptionDeps, 'addJob' | 'clock' | 'subscriptions'>,
  em: Transaction,
  { subscription, period }: { subscription: Subscription; period: SubscriptionPeriod },
  type: SubscriptionEventType,
): Promise<boolean> {
  // A paused one stays paused, whatever is paid.
  if (subscription.status !== 'past_due' || (await deps.subscriptions.hasOtherFailed(em, period))) return false
  const { paymentId, dueAt, refusals } = period
  const next = Math.max(subscription.nextPeriod, periodAfter(subscription, deps.clock.now()))
  const nextPaymentAt = dueAtOf(subscription, next)
  const skippedPeriods = next - subscription.nextPeriod
  subscription.nextPeriod = next
  const about = { paymentId, dueAt, refusals, skippedPeriods, nextAttemptAt: null }
  await deps.subscriptions.record(em, subscription, type, { ...about, status: 'active', nextPaymentAt })
  await deps.addJob(em, renewJob(subscription, nextPaymentAt))
  return true
}
