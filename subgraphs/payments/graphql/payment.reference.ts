import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'

/** A payment that another subgraph refers to; null where the tenant has no such payment. */
export async function paymentReference(
  reference: { id: string },
  context: SubgraphContext<Pick<RequestLoaders, 'paymentById'>>,
): Promise<Payment | null> {
  return (await context.deps.paymentById(tenantOf(context).id, reference.id)) ?? null
}
