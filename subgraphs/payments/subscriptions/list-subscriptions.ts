import { connectionOf, readPage, type Connection, type PageRequest } from '../../../kernel/connection.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { Stores } from '../store/stores.js'
import type { Subscription } from '../store/subscription.entity.js'
import type { SubscriptionFilter } from '../store/subscriptions.js'

/** Names the list in its cursors. */
const LIST = 'subscription'

/** The tenant's subscriptions, newest first. Throws validation_error on `first` or `after`. */
export async function listSubscriptions(
  deps: Pick<Stores, 'subscriptions'>,
  tenant: Tenant,
  { filter, ...request }: PageRequest & { filter?: SubscriptionFilter | null },
): Promise<Connection<Subscription>> {
  const { size, after: afterId } = readPage(request, (text) => (isId(text) ? text : undefined), LIST)
  // One more than asked for tells whether another page follows.
  const found = await deps.subscriptions.list(tenant.id, filter ?? {}, { limit: size + 1, afterId })
  return connectionOf(found, { size, hasPreviousPage: afterId !== undefined, list: LIST }, ({ id }) => id)
}
