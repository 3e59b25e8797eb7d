import { takesNoMoney } from '../../model/attempt-rules.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import type { Subscription, SubscriptionPeriod } from '../../store/subscription.entity.js'
import type { MailStep } from '../../store/subscription-mails.js'

/** A period that its payer has still to pay. */
export interface OwedPeriod {
  subscription: Subscription
  period: SubscriptionPeriod
  payment: Payment
}

/** The period of a step; undefined once it is paid, its payment takes no money any more, or its subscription was canceled. */
export async function findOwed(
  deps: Pick<Stores, 'payments' | 'subscriptions'>,
  { tenantId, subscriptionId, period: number }: MailStep,
): Promise<OwedPeriod | undefined> {
  const subscription = await deps.subscriptions.find(tenantId, subscriptionId)
  const period = await deps.subscriptions.findPeriod(tenantId, subscriptionId, number)
  const payment = period && (await deps.payments.find(tenantId, period.paymentId))
  if (!subscription || !payment || period.state === 'paid' || payment.status === 'success') return undefined
  if (subscription.status === 'canceled' || takesNoMoney(payment)) return undefined
  return { subscription, period, payment }
}
