import { parse } from 'graphql'
import { askPeer } from '../../../kernel/peer.js'
import type { RequestContext, SubgraphExecutor } from '../../../kernel/subgraph.js'

/** Where a payment's events go when neither its request nor its order says so. */
export interface DefaultIntegration {
  publicClientId: string
  webhookUrl: string | null
}

const DEFAULT_INTEGRATION = parse(/* GraphQL */ `
  query DefaultIntegration {
    integration {
      publicClientId
      webhookUrl
    }
  }
`)

/** The tenant's default integration; null where it has none. */
export async function readDefaultIntegration(
  accounts: SubgraphExecutor,
  context: RequestContext,
): Promise<DefaultIntegration | null> {
  type Answer = { integration: DefaultIntegration | null }
  return (await askPeer<Answer>(accounts, DEFAULT_INTEGRATION, {}, context)).integration
}
