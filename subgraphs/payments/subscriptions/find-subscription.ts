import { AppError } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { Stores } from '../store/stores.js'
import type { Subscription } from '../store/subscription.entity.js'

/** A subscription of the tenant. Throws `subscription_not_found`, also for one of another tenant. */
export async function findSubscription(
  deps: Pick<Stores, 'subscriptions'>,
  tenant: Tenant,
  { id }: { id: string },
): Promise<Subscription> {
  const subscription = isId(id) ? await deps.subscriptions.find(tenant.id, id) : undefined
  if (!subscription) throw new AppError('subscription_not_found')
  return subscription
}
