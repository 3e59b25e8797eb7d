import { buildSubgraph } from '../../kernel/subgraph.js'
import type { YieldDeps } from './deps.js'
import { BroadcastYieldResolver } from './graphql/broadcast-yield.js'
import { DepositYieldResolver } from './graphql/deposit-yield.js'
import { EarningsResolver } from './graphql/yield-earnings.js'
import { OpportunitiesResolver } from './graphql/rebalance-opportunities.js'
import {
  RebalanceYieldResolver,
  SingleTransactionRebalance,
  TwoTransactionRebalance,
} from './graphql/rebalance-yield.js'
import { StrategiesResolver } from './graphql/yield-strategies.js'
import { VerifyYieldTransactionResolver } from './graphql/verify-yield-transaction.js'
import { WithdrawYieldResolver } from './graphql/withdraw-yield.js'

/** The yield subgraph's schema: what is listed here is all that it offers. */
export function yieldSubgraph(): ReturnType<typeof buildSubgraph<YieldDeps>> {
  return buildSubgraph<YieldDeps>({
    resolvers: [
      BroadcastYieldResolver,
      DepositYieldResolver,
      EarningsResolver,
      OpportunitiesResolver,
      RebalanceYieldResolver,
      StrategiesResolver,
      VerifyYieldTransactionResolver,
      WithdrawYieldResolver,
    ],
    orphanedTypes: [SingleTransactionRebalance, TwoTransactionRebalance],
    references: {},
  })
}
