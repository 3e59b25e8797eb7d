import type { Transaction } from '../../../kernel/database.js'
import { CANCELED, REFUNDED } from '../model/attempt-rules.js'
import type { Payment } from '../store/payment.entity.js'
import type { Subscription, SubscriptionPeriod } from '../store/subscription.entity.js'
import { endPastDue } from './end-past-due.js'
import type { SubscriptionDeps } from './fail-attempt.js'

/** A period with its subscription, which is locked. */
interface LockedPeriod {
  subscription: Subscription
  period: SubscriptionPeriod
}

/**
 * Whether a payment has ended so that nothing of its period is owed any more: its payer has the money back, or its tenant wants none.
 * Nobody has refused it. Not where money was taken back by force, and not where the payment after a trial was canceled: who has only
 * tried is asked for no second period.
 */
export function isSettledBy(
  payment: Pick<Payment, 'status' | 'dataError'>,
  { subscription, period }: LockedPeriod,
): boolean {
  if (payment.status !== 'error') return false
  const isOfTrial = subscription.trialEndsAt != null && period.period === 0
  const code = payment.dataError?.code
  return code === REFUNDED || (code === CANCELED && !isOfTrial)
}

/**
 * Writes down that nothing of a period is owed any more, without a word: its tenant has done that. A subscription that was past due for
 * it goes on, of which tenants are told.
 */
export async function settlePeriod(deps: SubscriptionDeps, em: Transaction, found: LockedPeriod): Promise<void> {
  const { subscription, period } = found
  period.state = 'paid'
  if (await endPastDue(deps, em, found, 'subscription.resumed')) return
  // The attempt that was planned is made no more.
  if (subscription.paymentId === period.paymentId) subscription.nextAttemptAt = null
}
