import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { Runtime } from '../model/runtime.js'
import type { Stores } from '../store/stores.js'
import type { Subscription } from '../store/subscription.entity.js'
import { findSubscription } from './find-subscription.js'
import { dueAtOf, periodAfter } from './periods.js'
import { chargePeriodJob, renewJob } from './subscription-jobs.js'

/** What resuming a subscription needs. */
export type ResumeSubscriptionDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'addJob' | 'subscriptions'>

/**
 * Resumes a paused subscription: the due dates go on from the anchor, those that passed meanwhile are left out, and attempts to
 * charge that were held are made now. One whose period has failed before is past due again. One that is not paused stays as it is.
 * @throws subscription_not_found, subscription_canceled
 */
export async function resumeSubscription(
  deps: ResumeSubscriptionDeps,
  tenant: Tenant,
  { id }: { id: string },
): Promise<Subscription> {
  const subscription = await findSubscription(deps, tenant, { id })
  const changed = await deps.subscriptions.change(tenant.id, id, async (locked, em) => {
    if (locked.status === 'canceled') throw new AppError('subscription_canceled')
    if (locked.status !== 'paused') return
    const now = deps.clock.now()
    const held = await deps.subscriptions.heldPeriods(em, locked)
    for (const period of held) {
      Object.assign(period, { held: false, nextAttemptAt: now })
      await deps.addJob(em, chargePeriodJob(period, now))
    }
    const attempt = held.length > 0 ? { nextAttemptAt: now } : {}
    if (await deps.subscriptions.hasFailed(em, locked)) {
      const change = { ...attempt, status: 'past_due' as const, skippedPeriods: 0 }
      await deps.subscriptions.record(em, locked, 'subscription.resumed', change)
      return
    }
    const { nextPeriod } = locked
    const next = Math.max(nextPeriod, periodAfter(locked, now))
    const nextPaymentAt = dueAtOf(locked, next)
    locked.nextPeriod = next
    const change = { ...attempt, status: 'active' as const, skippedPeriods: next - nextPeriod, nextPaymentAt }
    await deps.subscriptions.record(em, locked, 'subscription.resumed', change)
    await deps.addJob(em, renewJob(locked, nextPaymentAt))
  })
  return changed ?? subscription
}
