import { AppError } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { OrdersDeps } from '../deps.js'
import type { Order } from '../store/order.entity.js'

/**
 * Switches an order off, or on again.
 * @returns the order as it is then; as the earlier request left it, where the idempotency key was used before
 * @throws order_not_found, idempotency_key_reused
 */
export async function toggleOrder(
  deps: Pick<OrdersDeps, 'orders'>,
  tenant: Tenant,
  { id }: { id: string },
): Promise<Order> {
  if (!isId(id)) throw new AppError('order_not_found')
  return deps.orders.change(tenant, id, ({ active }) => ({ active: !active }))
}
