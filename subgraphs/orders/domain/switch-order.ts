import { AppError } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { OrdersDeps } from '../deps.js'
import type { Order } from '../store/order.entity.js'

/**
 * Switches an order off, or on. Where it is so already nothing changes, and no event is told: it can be repeated.
 * @returns the order as it is then; as the earlier request left it, where the idempotency key was used before
 * @throws order_not_found, idempotency_key_reused
 */
export async function switchOrder(
  deps: Pick<OrdersDeps, 'orders'>,
  tenant: Tenant,
  { id, active }: { id: string; active: boolean },
): Promise<Order> {
  if (!isId(id)) throw new AppError('order_not_found')
  return deps.orders.change(tenant, id, (order) => (order.active === active ? undefined : { active }))
}
