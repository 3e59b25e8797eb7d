import { inTransaction, type Database, type Transaction } from '../../../../kernel/database.js'
import type { Stores } from '../../store/stores.js'
import type { Subscription, SubscriptionPeriod } from '../../store/subscription.entity.js'
import type { MailStep } from '../../store/subscription-mails.js'
import type { SubscriptionDeps } from '../fail-attempt.js'
import type { OwedPeriod } from './find-owed.js'

/** What making a subscription past due needs. */
export type FallPastDueDeps = SubscriptionDeps & Pick<Stores, 'subscriptionMails'> & { database: Database }

/** Makes the subscription of a period past due that its payer was asked for in vain: nothing is registered until it is paid. */
export async function fallPastDue(deps: FallPastDueDeps, step: MailStep, { payment }: OwedPeriod): Promise<void> {
  const now = deps.clock.now()
  await inTransaction(deps.database, async (em) => {
    const found = await deps.subscriptions.lockPeriodOf(em, payment)
    await deps.subscriptionMails.endIn(em, step, 'done', now)
    if (found?.period.state !== 'open' || found.subscription.status !== 'active') return
    await makePastDue(deps, em, found)
  })
}

/** Makes a locked subscription past due for a period that was not paid; its payer may still pay it. */
export async function makePastDue(
  { subscriptions }: Pick<SubscriptionDeps, 'subscriptions'>,
  em: Transaction,
  { subscription, period }: { subscription: Subscription; period: SubscriptionPeriod },
): Promise<void> {
  period.state = 'failed'
  const { paymentId, dueAt, refusals } = period
  const about = { paymentId, dueAt, refusals, skippedPeriods: 0, nextAttemptAt: null }
  const change = { ...about, status: 'past_due' as const, nextPaymentAt: null }
  await subscriptions.record(em, subscription, 'subscription.past_due', change)
}
