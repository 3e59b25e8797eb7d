import type { Clock } from '../../../kernel/clock.js'
import type { Transaction } from '../../../kernel/database.js'
import type { Subscription, SubscriptionPeriod } from '../store/subscription.entity.js'
import type { SubscriptionsStore } from '../store/subscriptions.js'
import { askPayer, type AskPayerDeps } from './mails/ask-payer.js'
import { chargePeriodJob } from './subscription-jobs.js'

/** What changes of subscriptions need; they happen in transactions of others. */
export interface SubscriptionDeps extends AskPayerDeps {
  clock: Clock
  subscriptions: SubscriptionsStore
}

/** A refusal is tried again a day later, as often as the order says. */
const REFUSED_DELAY_MS = 24 * 3_600_000
/** What failed on the way to the processor says nothing about the card: it is tried again soon, for a day. */
const TECHNICAL_DELAY_MS = 3_600_000
const TECHNICAL_FAILURES_MAX = 24

/**
 * Writes down that an attempt to charge a period has failed, and plans the next one; after the last refusal the
 * subscription is past due, and its payer is asked. Of a canceled subscription nothing is tried again.
 * @param failure `technical` where nobody has refused anything
 */
export async function failAttempt(
  deps: SubscriptionDeps,
  em: Transaction,
  { subscription, period }: { subscription: Subscription; period: SubscriptionPeriod },
  failure: 'refused' | 'technical',
): Promise<void> {
  const isTechnical = failure === 'technical' && period.technicalFailures < TECHNICAL_FAILURES_MAX
  if (isTechnical) period.technicalFailures += 1
  else period.refusals += 1
  period.attempt += 1
  const isOver = period.refusals > subscription.retryCount || subscription.status === 'canceled'
  if (isOver) period.state = 'failed'
  if (subscription.status === 'canceled') return
  const delayMs = isTechnical ? TECHNICAL_DELAY_MS : REFUSED_DELAY_MS
  const now = deps.clock.now()
  const nextAttemptAt = isOver ? null : new Date(now.getTime() + delayMs)
  period.nextAttemptAt = nextAttemptAt
  const { paymentId, dueAt, refusals } = period
  const about = { paymentId, dueAt, refusals, skippedPeriods: 0, nextAttemptAt }
  await deps.subscriptions.record(em, subscription, 'subscription.payment_failed', about)
  if (nextAttemptAt) {
    await deps.addJob(em, chargePeriodJob(period, nextAttemptAt))
    return
  }
  await askPayer(deps, em, period, { reason: 'refused', now })
  if (subscription.status === 'active') {
    const change = { status: 'past_due' as const, nextPaymentAt: null }
    await deps.subscriptions.record(em, subscription, 'subscription.past_due', change)
  }
}
