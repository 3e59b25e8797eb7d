/** The words of a subscription's `interval`. */
export const SUBSCRIPTION_INTERVALS = ['weekly', 'monthly', 'yearly'] as const
export type SubscriptionInterval = (typeof SUBSCRIPTION_INTERVALS)[number]

export type SubscriptionStatus = 'active' | 'past_due' | 'paused' | 'canceled'

/** Why a subscription has ended. */
export type CancelReason = 'requested' | 'order_inactive' | 'order_not_subscription' | 'order_not_found'

/** What tenants are told of. */
export type SubscriptionEventType =
  | 'subscription.started'
  | 'subscription.payment_registered'
  | 'subscription.renewed'
  | 'subscription.payment_failed'
  | 'subscription.past_due'
  | 'subscription.changed'
  | 'subscription.paused'
  | 'subscription.resumed'
  | 'subscription.canceled'

/** The terms that a payment takes from its order at its registration: how it continues once it is paid. */
export interface SubscriptionConfig {
  planName: string
  interval: SubscriptionInterval
  /** Unix seconds. */
  nextPaymentAt?: number | null
  charge: boolean
  retryCount: number
}
