import type { Tenant } from '../../../../kernel/tenant.js'
import type { Runtime } from '../../model/runtime.js'
import type { Stores } from '../../store/stores.js'
import type { Subscription } from '../../store/subscription.entity.js'
import { findSubscription } from '../find-subscription.js'

/** What stopping e-mails needs. */
export type StopSubscriptionEmailsDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'subscriptions'>

/**
 * Ends the e-mails to a subscription's payer, for good; the subscription goes on. A second time it changes nothing.
 * @throws subscription_not_found
 */
export async function stopSubscriptionEmails(
  deps: StopSubscriptionEmailsDeps,
  tenant: Tenant,
  { id }: { id: string },
): Promise<Subscription> {
  const subscription = await findSubscription(deps, tenant, { id })
  const changed = await deps.subscriptions.change(tenant.id, id, (locked) => {
    locked.emailsStoppedAt ??= deps.clock.now()
    return Promise.resolve()
  })
  return changed ?? subscription
}
