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

/**
 * How an attempt has failed: `refused` by the card's issuer or the antifraud; `technical` on the way to the processor; `uncharged` for
 * any other reason, as by a limit of the tenant or by the processor, which counts as a refusal and says nothing about the card.
 */
export type AttemptFailure = 'refused' | 'technical' | 'uncharged'

/** A refusal is tried again a day later, as often as the order says. */
const REFUSED_DELAY_MS = 24 * 3_600_000
/**
 * What failed on the way to the processor says nothing about the card: it is tried again soon, for a day. After that each such failure
 * takes one of the order's tries, a day apart, and is no refusal all the same.
 */
const TECHNICAL_DELAY_MS = 3_600_000
const TECHNICAL_FAILURES_MAX = 24

/**
 * Writes down that an attempt to charge a period has failed, and plans the next one; after the last one the subscription is
 * past due, and its payer is asked: that his card was refused he reads only where it was. Of a canceled subscription nothing is tried
 * again.
 */
export async function failAttempt(
  deps: SubscriptionDeps,
  em: Transaction,
  { subscription, period }: { subscription: Subscription; period: SubscriptionPeriod },
  failure: AttemptFailure,
): Promise<void> {
  const isSoon = failure === 'technical' && period.technicalFailures < TECHNICAL_FAILURES_MAX
  if (failure === 'technical') period.technicalFailures += 1
  else period.refusals += 1
  period.attempt += 1
  const isOver = triesUsed(period) > subscription.retryCount || subscription.status === 'canceled'
  if (isOver) period.state = 'failed'
  if (subscription.status === 'canceled') return
  const delayMs = isSoon ? TECHNICAL_DELAY_MS : REFUSED_DELAY_MS
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
  await askPayer(deps, em, period, { reason: failure === 'refused' ? 'refused' : 'uncharged', now })
  if (subscription.status === 'active') {
    const change = { status: 'past_due' as const, nextPaymentAt: null }
    await deps.subscriptions.record(em, subscription, 'subscription.past_due', change)
  }
}

/** How many tries of a period count against its order's: refusals, and technical failures after those of the first day. */
function triesUsed({ refusals, technicalFailures }: SubscriptionPeriod): number {
  return refusals + Math.max(technicalFailures - TECHNICAL_FAILURES_MAX, 0)
}
