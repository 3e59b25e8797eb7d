import { parse } from 'graphql'
import { askPeer } from './peer.js'
import { tenantOf, type RequestContext, type SubgraphContext, type SubgraphExecutor } from './subgraph.js'
import type { Tenant } from './tenant.js'

const MAY_STILL = parse(/* GraphQL */ `
  query MayStill($field: String!) {
    mayStill(field: $field)
  }
`)

/**
 * Asks accounts again whether the person who calls may do a root field: what the gateway knows of a session is up to five seconds old.
 * @throws permission_denied, unauthorized, proof_required
 */
type Reauthorize = (field: string) => Promise<void>

/** What acts of people need whose effect outlives their sessions. */
export interface ReauthorizeDeps {
  reauthorize: Reauthorize
}

/** Makes the question of a request. */
export function reauthorization(accounts: SubgraphExecutor): (context: RequestContext) => Reauthorize {
  return (context) => async (field) => {
    await askPeer<{ mayStill: boolean }>(accounts, MAY_STILL, { field }, context)
  }
}

/**
 * The tenant who calls, for a mutation whose effect outlives the session of who calls.
 * @param field the mutation
 */
export function reauthorizedTenantOf(context: SubgraphContext<ReauthorizeDeps>, field: string): Tenant {
  const tenant = tenantOf(context)
  if (!context.caller.person) return tenant
  return { ...tenant, assertMayStill: () => context.deps.reauthorize(field) }
}
