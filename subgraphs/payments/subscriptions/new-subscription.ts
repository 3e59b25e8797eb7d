import type { SubscriptionConfig } from '../model/subscription.js'
import type { Subscription } from '../store/subscription.entity.js'
import { dueDate } from './periods.js'

/** By what a subscription begins; `anchorAt` is when period 0 is due. */
type Beginning = Pick<Subscription, 'tenantId' | 'id' | 'orderCode' | 'anchorAt' | 'nextPeriod'> &
  Partial<Pick<Subscription, 'dueAt' | 'trialEndsAt' | 'trialKey'>> & { paymentId: string }

/** A subscription as it begins, before its first event, and when its next payment is due. */
export function newSubscription(
  { paymentId, dueAt = null, trialEndsAt = null, trialKey = null, ...begun }: Beginning,
  { planName, interval, charge, retryCount }: SubscriptionConfig,
  now: Date,
): { subscription: Subscription; nextPaymentAt: Date } {
  const nextPaymentAt = dueDate(begun.anchorAt, interval, begun.nextPeriod)
  const subscription: Subscription = {
    ...{ ...begun, anchorPeriod: 0, nextPaymentAt, dueAt, trialEndsAt, trialKey },
    ...{ paymentId, firstPaymentId: paymentId, meansPaymentId: paymentId },
    ...{ planName, interval, charge, retryCount, amountFrom: null },
    ...{ consentFrom: null, agreedAmountFrom: null, agreedInterval: null },
    ...{ status: 'active', sequence: 0, skippedPeriods: 0, refusals: 0, nextAttemptAt: null },
    ...{ cancelReason: null, emailsStoppedAt: null, createdAt: now, updatedAt: now },
  }
  return { subscription, nextPaymentAt }
}
