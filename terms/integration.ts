import { parse } from 'graphql'
import { recentlyUsed } from '../kernel/recently-used.js'
import type { FieldFailure } from '../kernel/errors.js'
import { askPeer } from '../kernel/peer.js'
import type { RequestContext, SubgraphExecutor } from '../kernel/subgraph.js'

/** What is wrong with a public client id of a good form: it has to be one of the tenant's integrations. */
export type CheckIntegration = (field: string, publicClientId: string) => Promise<FieldFailure[]>

const KNOWN_MAX = 10_000

const INTEGRATION = parse(/* GraphQL */ `
  query Integration($publicClientId: ID!) {
    integration(publicClientId: $publicClientId) {
      publicClientId
    }
  }
`)

/**
 * Makes the check of a request: accounts are asked, and what they know is remembered, as no integration is ever taken away.
 * @throws (the check) where accounts cannot be read
 */
export function integrationChecks(accounts: SubgraphExecutor): (context: RequestContext) => CheckIntegration {
  const known = recentlyUsed<string, true>(KNOWN_MAX)
  return (context) => async (field, publicClientId) => {
    const key = `${context.caller.tenantId ?? ''} ${publicClientId}`
    if (known.has(key)) return []
    const { integration } = await askPeer<{ integration: object | null }>(
      accounts,
      INTEGRATION,
      { publicClientId },
      context,
    )
    if (!integration) return [{ field, message: "must be one of the tenant's integrations" }]
    known.set(key, true)
    return []
  }
}
