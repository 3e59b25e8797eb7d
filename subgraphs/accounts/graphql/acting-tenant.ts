import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { AccountsDeps } from '../deps.js'
import { reauthorizationOf, type ActingTenant } from '../domain/acting-tenant.js'

/**
 * The tenant who calls, for a mutation whose effect outlives the session of who calls.
 * @param field the mutation
 */
export function actingTenantOf(
  context: SubgraphContext<Pick<AccountsDeps, 'accounts' | 'clock'>>,
  field: string,
): Tenant & Required<ActingTenant> {
  return { ...tenantOf(context), reauthorize: reauthorizationOf(context.deps, context.caller, field) }
}
