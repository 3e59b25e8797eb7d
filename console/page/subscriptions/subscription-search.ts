import type { SubscriptionStatus } from '../generated/operations.js'
import { oneOf, textIn } from '../pages/search-text.js'

export const SUBSCRIPTION_STATES = ['ACTIVE', 'PAST_DUE', 'PAUSED', 'CANCELED'] as const satisfies SubscriptionStatus[]

/** What the list of subscriptions is filtered by, as it is in the address. */
export interface SubscriptionSearch {
  status?: SubscriptionStatus | undefined
  order?: string | undefined
  after?: string | undefined
}

export function subscriptionSearch(search: Record<string, unknown>): SubscriptionSearch {
  return {
    status: oneOf(search['status'], SUBSCRIPTION_STATES),
    order: textIn(search, 'order'),
    after: textIn(search, 'after'),
  }
}
