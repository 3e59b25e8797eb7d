import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import type { OrdersDeps } from '../deps.js'
import type { Order } from '../store/order.entity.js'

/** An order that another subgraph refers to; null where the tenant has no such order. */
export async function orderReference(
  reference: { id: string },
  context: SubgraphContext<OrdersDeps>,
): Promise<Order | null> {
  return (await context.deps.orderById(tenantOf(context).id, reference.id)) ?? null
}
