import type { RequestContext } from '../../../kernel/subgraph.js'
import type { Tenant } from '../../../kernel/tenant.js'

/** Who calls. Strategies belong to nobody, so a platform key may use them too, under the deployment's own name. */
export function yieldTenant({ caller, requestId, idempotency }: RequestContext): Tenant {
  return {
    id: caller.tenantId ?? 'platform',
    products: caller.products,
    requestId,
    ...(idempotency && { idempotency }),
  }
}
