import type { buildSubgraph } from '../kernel/subgraph.js'
import { accountsSubgraph } from './accounts/subgraph.js'
import { kycSubgraph } from './kyc/subgraph.js'
import { ordersSubgraph } from './orders/subgraph.js'
import { paymentsSubgraph } from './payments/subgraph.js'
import { yieldSubgraph } from './yield/subgraph.js'

/** The subgraphs by name; the supergraph is composed of exactly these. */
export const SUBGRAPHS: Record<string, () => Pick<ReturnType<typeof buildSubgraph>, 'sdl'>> = {
  accounts: accountsSubgraph,
  kyc: kycSubgraph,
  orders: ordersSubgraph,
  payments: paymentsSubgraph,
  yield: yieldSubgraph,
}
