import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { Stores } from '../store/stores.js'
import type { Subscription } from '../store/subscription.entity.js'
import { findSubscription } from './find-subscription.js'

/** What pausing a subscription needs. */
export type PauseSubscriptionDeps = Pick<Stores, 'subscriptions'>

/**
 * Pauses a subscription: until it is resumed no payment is registered, nothing is charged, and its payer is not asked. A charge
 * that is on its way comes to its end, and what is open can be paid. A second time it changes nothing.
 * @throws subscription_not_found, subscription_canceled
 */
export async function pauseSubscription(
  deps: PauseSubscriptionDeps,
  tenant: Tenant,
  { id }: { id: string },
): Promise<Subscription> {
  const subscription = await findSubscription(deps, tenant, { id })
  const changed = await deps.subscriptions.change(tenant.id, id, async (locked, em) => {
    if (locked.status === 'canceled') throw new AppError('subscription_canceled')
    if (locked.status === 'paused') return
    const change = { status: 'paused' as const, nextPaymentAt: null, skippedPeriods: 0 }
    await deps.subscriptions.record(em, locked, 'subscription.paused', change)
  })
  return changed ?? subscription
}
