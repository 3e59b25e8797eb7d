import type { Tenant } from '../../../kernel/tenant.js'
import type { Stores } from '../store/stores.js'
import type { Subscription } from '../store/subscription.entity.js'
import { findSubscription } from './find-subscription.js'
import { endSubscription } from './renew-subscription.js'

/** What ending a subscription needs. */
export type CancelSubscriptionDeps = Pick<Stores, 'subscriptions'>

/**
 * Ends a subscription now: no payment is registered any more and no refused one tried again. A charge that is on its way
 * comes to its end. One that has ended stays as it is.
 * @throws subscription_not_found
 */
export async function cancelSubscription(
  deps: CancelSubscriptionDeps,
  tenant: Tenant,
  { id }: { id: string },
): Promise<Subscription> {
  const subscription = await findSubscription(deps, tenant, { id })
  return (await endSubscription(deps, subscription, 'requested')) ?? subscription
}
