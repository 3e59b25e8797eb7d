import { parse } from 'graphql'
import { askPeer } from '../../../kernel/peer.js'
import type { RequestContext, SubgraphExecutor } from '../../../kernel/subgraph.js'

const MERCHANT_NAME = parse(/* GraphQL */ `
  query MerchantName {
    account {
      name
    }
    branding {
      displayName
    }
  }
`)

interface Answer {
  account: { name: string } | null
  branding: { displayName: string | null } | null
}

/** How the context's tenant is called on what payers see; empty where it has no name. */
export async function readMerchantName(accounts: SubgraphExecutor, context: RequestContext): Promise<string> {
  const { account, branding } = await askPeer<Answer>(accounts, MERCHANT_NAME, {}, context)
  return branding?.displayName ?? account?.name ?? ''
}
