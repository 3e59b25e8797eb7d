import { AppError } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { OrdersDeps } from '../deps.js'
import type { Order } from '../store/order.entity.js'

/**
 * Deletes an order: it is in no list, pays nothing more and does not count. Its payments still show what they came from.
 * @returns the order as it was left, also where the idempotency key was used before
 * @throws order_not_found, also for one that is deleted already; idempotency_key_reused
 */
export async function deleteOrder(
  deps: Pick<OrdersDeps, 'orders'>,
  tenant: Tenant,
  { id }: { id: string },
): Promise<Order> {
  if (!isId(id)) throw new AppError('order_not_found')
  return deps.orders.remove(tenant, id)
}
