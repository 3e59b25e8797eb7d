import type { SubscriptionResult, SubscriptionsResult } from '../generated/operations.js'

/** A subscription as its list shows it. */
export type ListedSubscription = NonNullable<SubscriptionsResult['paymentSubscriptions']>['edges'][number]['node']

/** A subscription as its page shows it. */
export type ShownSubscription = NonNullable<SubscriptionResult['paymentSubscription']>
