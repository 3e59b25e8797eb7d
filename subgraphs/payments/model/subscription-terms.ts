import type { SubscriptionConfig, SubscriptionInterval, SubscriptionStatus } from './subscription.js'

/** What is looked at of a payment. */
interface Subscribing {
  id: string
  amountFrom: string
  gatewayMethod: string
  subscriptionConfig?: SubscriptionConfig | null | undefined
}

/** What is looked at of its subscription. */
interface Subscribed extends Pick<SubscriptionConfig, 'planName' | 'interval' | 'charge'> {
  status: SubscriptionStatus
  firstPaymentId: string
  amountFrom?: string | null | undefined
  trialEndsAt?: Date | null | undefined
}

/** What a payer agrees to who pays a payment of a subscription. */
export interface SubscriptionTerms {
  planName: string
  interval: SubscriptionInterval
  /** What each of the next periods costs, a decimal string in the payment's currency. */
  amountFrom: string
  /** Whether a card that has paid is charged by itself each time. */
  charge: boolean
  /** Whether it is the subscription's first payment: no card is on file before it. */
  isFirst: boolean
  /** When the trial ends that this payment follows; null where it follows none. */
  trialEndsAt: Date | null
}

/**
 * The terms of the subscription that a payment begins, or whose period it pays.
 * @param subscription the payment's, once there is one
 * @returns null where it is of none, or of one that has ended
 */
export function subscriptionTermsOf(
  payment: Subscribing,
  subscription: Subscribed | undefined,
): SubscriptionTerms | null {
  if (payment.gatewayMethod !== 'subs' || subscription?.status === 'canceled') return null
  const terms = subscription ?? payment.subscriptionConfig
  if (!terms) return null
  const { planName, interval, charge } = terms
  const isFirst = !subscription || subscription.firstPaymentId === payment.id
  const amountFrom = subscription?.amountFrom ?? payment.amountFrom
  const trialEndsAt = (isFirst && subscription?.trialEndsAt) || null
  return { planName, interval, amountFrom, charge, isFirst, trialEndsAt }
}
