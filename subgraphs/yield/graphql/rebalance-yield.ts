import { Arg, createUnionType, Ctx, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { Decimal } from '../../../kernel/scalars.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { YieldContext } from '../deps.js'
import type { BuiltTransaction } from '../domain/build-transaction.js'
import { rebalanceYield, type Rebalance, type RebalanceInput } from '../domain/rebalance-yield.js'
import { YieldProviderEnum } from './strategy.type.js'
import { yieldTenant } from './yield-tenant.js'

const RebalanceModeEnum = graphqlEnum('RebalanceMode', 'In how many transactions a rebalance is done.', {
  single_transaction: 'One transaction holds both legs.',
  two_transaction: 'Two, to be sent in their order: both legs do not fit into one.',
})

/** REST has it besides. */
const OTHER_NAME = {
  type: () => String,
  description: 'Another name of `asset`; it has to mean the same token.',
  nullable: true,
  hiddenInInput: true,
} as const

@Fields<RebalanceInput>('input', {
  provider: { type: () => YieldProviderEnum, description: 'The provider of both legs.', nullable: true },
  providerOut: { type: () => YieldProviderEnum, description: 'The provider that is withdrawn from.', nullable: true },
  providerIn: { type: () => YieldProviderEnum, description: 'The provider that is deposited into.', nullable: true },
  asset: { type: () => String, description: "The token's symbol, or its mint." },
  symbol: OTHER_NAME,
  tokenMint: OTHER_NAME,
  mint: OTHER_NAME,
  wallet: { type: () => String, description: 'Whose money it is, and who signs.' },
  amount: {
    type: () => Decimal,
    description: 'How much, in whole tokens; required unless `all`, and left out with it.',
    nullable: true,
  },
  all: { type: () => Boolean, description: 'The whole position.', nullable: true },
  chainName: { type: () => String, description: 'The chain, e.g. `solana`.' },
})
@InputType({ description: 'A move of money from one strategy into another of the same token.' })
export class RebalanceYieldInput {}

type Presented = SingleTransaction | TwoTransactions

interface SingleTransaction extends BuiltTransaction {
  mode: 'single_transaction'
}

interface TwoTransactions extends Omit<BuiltTransaction, 'transaction'> {
  mode: 'two_transaction'
  withdrawTransaction: string
  depositTransaction: string
}

@Fields<SingleTransaction>('answer', {
  mode: { type: () => RebalanceModeEnum, description: 'SINGLE_TRANSACTION.' },
  transaction: { type: () => String, description: 'Both legs: the wire in base64.' },
  recentBlockhash: { type: () => String, description: 'The blockhash that it is good with.' },
  // GraphQL's Int ends below today's heights.
  lastValidBlockHeight: { type: () => Int, description: 'The last block height at which it can land.' },
})
@ObjectType({ description: 'A rebalance whose legs fit into one unsigned Solana transaction.' })
export class SingleTransactionRebalance {}

@Fields<TwoTransactions>('answer', {
  mode: { type: () => RebalanceModeEnum, description: 'TWO_TRANSACTION.' },
  withdrawTransaction: { type: () => String, description: 'The first, out of the one strategy: the wire in base64.' },
  depositTransaction: { type: () => String, description: 'The second, into the other: the wire in base64.' },
  recentBlockhash: { type: () => String, description: 'The blockhash that both are good with.' },
  lastValidBlockHeight: { type: () => Int, description: 'The last block height at which they can land.' },
})
@ObjectType({ description: 'A rebalance in two unsigned Solana transactions, to be sent in this order.' })
export class TwoTransactionRebalance {}

const YieldRebalance = createUnionType({
  name: 'YieldRebalance',
  description: 'A rebalance in one transaction or in two.',
  types: () => [SingleTransactionRebalance, TwoTransactionRebalance] as const,
  resolveType: ({ mode }: Partial<Presented>) =>
    mode === 'single_transaction' ? SingleTransactionRebalance.name : TwoTransactionRebalance.name,
})

@Resolver()
export class RebalanceYieldResolver {
  @Mutation(() => YieldRebalance, { description: 'Builds what moves money from one strategy into another.' })
  async buildRebalanceYield(
    @Arg('input', () => RebalanceYieldInput, { description: 'What to move.' }) input: RebalanceInput,
    @Ctx() context: YieldContext,
  ): Promise<Presented> {
    return present(await rebalanceYield(context.deps, yieldTenant(context), input))
  }
}

function present(rebalance: Rebalance): Presented {
  const { mode } = rebalance
  if (mode === 'single_transaction') return { mode, ...rebalance.transaction }
  const { withdraw, deposit } = rebalance
  const { recentBlockhash, lastValidBlockHeight } = deposit
  return {
    mode,
    withdrawTransaction: withdraw.transaction,
    depositTransaction: deposit.transaction,
    recentBlockhash,
    lastValidBlockHeight,
  }
}
