import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'

/** What counting our own attempts of a payment needs. */
export type OwnAttemptsDeps = Pick<Stores, 'subscriptions'>

/** How often a subscription has tried to charge a payment by itself. */
export async function ownAttempts({ subscriptions }: OwnAttemptsDeps, payment: Payment): Promise<number> {
  const isOfPeriod = payment.gatewayMethod === 'subs' && !payment.subscriptionConfig
  return isOfPeriod ? subscriptions.attemptsOf(payment) : 0
}
