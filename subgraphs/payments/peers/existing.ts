import DataLoader from 'dataloader'
import { parse, type DocumentNode } from 'graphql'
import { askPeer } from '../../../kernel/peer.js'
import type { RequestContext, SubgraphExecutor } from '../../../kernel/subgraph.js'

const ORDERS = parse(/* GraphQL */ `
  query ExistingOrders($ids: [ID!]!) {
    existing: existingOrders(ids: $ids)
  }
`)

const KYC_RECORDS = parse(/* GraphQL */ `
  query ExistingKycRecords($ids: [ID!]!) {
    existing: existingKycRecords(ids: $ids)
  }
`)

/** Whether the request's tenant has an order of an id; all that are asked for at once are asked for together. */
export function orderLookup(orders: SubgraphExecutor, context: RequestContext): (id: string) => Promise<boolean> {
  return lookup(orders, ORDERS, context)
}

/**
 * The same of verifications.
 * @param kyc absent where the deployment has no identity verification: then there is none
 */
export function kycRecordLookup(
  kyc: SubgraphExecutor | undefined,
  context: RequestContext,
): (id: string) => Promise<boolean> {
  return kyc ? lookup(kyc, KYC_RECORDS, context) : () => Promise.resolve(false)
}

function lookup(
  peer: SubgraphExecutor,
  document: DocumentNode,
  context: RequestContext,
): (id: string) => Promise<boolean> {
  let loader: DataLoader<string, boolean> | undefined
  const load = async (ids: readonly string[]): Promise<boolean[]> => {
    const { existing } = await askPeer<{ existing: string[] }>(peer, document, { ids }, context)
    return ids.map((id) => existing.includes(id))
  }
  // Most requests look for none.
  return (id) => (loader ??= new DataLoader(load)).load(id)
}
