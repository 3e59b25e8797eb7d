import { AppError } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { OrdersDeps } from '../deps.js'
import type { Order } from '../store/order.entity.js'

/** An order of the tenant. Throws `order_not_found`, also for one of another tenant, or one that was deleted. */
export async function findOrder(
  deps: Pick<OrdersDeps, 'orderById'>,
  tenant: Tenant,
  { id }: { id: string },
): Promise<Order> {
  const order = isId(id) ? await deps.orderById(tenant.id, id) : undefined
  if (!order || order.deleted) throw new AppError('order_not_found')
  return order
}

/** The order as it was after its event `sequence`. Throws `order_not_found` where there is no such event. */
export async function findOrderAt(
  deps: Pick<OrdersDeps, 'orders'>,
  tenant: Tenant,
  { id, sequence }: { id: string; sequence: number },
): Promise<Order> {
  const order = isId(id) ? await deps.orders.findAt(tenant.id, id, sequence) : undefined
  if (!order) throw new AppError('order_not_found')
  return order
}
