import type { SubscriptionStatus } from '../generated/operations.js'
import { oneOf, searchOf, text } from '../pages/search-text.js'

export const SUBSCRIPTION_STATES = ['ACTIVE', 'PAST_DUE', 'PAUSED', 'CANCELED'] as const satisfies SubscriptionStatus[]

/** What the list of subscriptions is filtered by, as it is in the address. */
export const subscriptionSearch = searchOf({ status: oneOf(SUBSCRIPTION_STATES), order: text, after: text })
