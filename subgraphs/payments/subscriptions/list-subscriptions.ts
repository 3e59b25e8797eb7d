import type { Tenant } from '../../../kernel/tenant.js'
import type { PaymentsDeps } from '../deps.js'
import { connect, type Connection } from '../domain/connection.js'
import type { Subscription } from '../store/subscription.entity.js'

export type SubscriptionConnection = Connection<Subscription>

/** The subscriptions of the tenant's order, newest first. Throws validation_error on `first` or `after`. */
export function listSubscriptions(
  deps: Pick<PaymentsDeps, 'subscriptions'>,
  tenant: Tenant,
  { orderCode, ...page }: { orderCode: string; first: number; after?: string | null },
): Promise<SubscriptionConnection> {
  return connect(page, (wanted) => deps.subscriptions.list(tenant.id, orderCode, wanted))
}
