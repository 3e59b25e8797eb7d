import type { Transaction } from '../../../../kernel/database.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import type { Subscription, SubscriptionPeriod } from '../../store/subscription.entity.js'
import type { MailStep } from '../../store/subscription-mails.js'
import type { SubscriptionDeps } from '../fail-attempt.js'
import type { OwedPeriod } from './find-owed.js'

/** What making a subscription past due needs. */
export type FallPastDueDeps = SubscriptionDeps & Pick<Stores, 'payments' | 'subscriptionMails'>

/**
 * Makes the subscription of a period past due that its payer was asked for in vain: nothing is registered until it is paid. The payment
 * is locked before its subscription, as where payments are followed, and looked at again: its payer may have paid since it was read.
 * @param mustWait whether the payment, as it is under its lock, asks for patience; it reads in that transaction
 * @returns false where it does, and nothing was done
 */
export async function fallPastDue(
  deps: FallPastDueDeps,
  step: MailStep,
  { payment: { tenantId, id } }: OwedPeriod,
  mustWait: (payment: Payment, em: Transaction) => Promise<boolean>,
): Promise<boolean> {
  let isDone = false
  await deps.payments.change(tenantId, id, async (payment, em) => {
    if (await mustWait(payment, em)) return undefined
    const found = await deps.subscriptions.lockPeriodOf(em, payment)
    await deps.subscriptionMails.endIn(em, step, 'done', deps.clock.now())
    if (found?.period.state === 'open' && found.subscription.status === 'active') await makePastDue(deps, em, found)
    isDone = true
    return undefined
  })
  return isDone
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
