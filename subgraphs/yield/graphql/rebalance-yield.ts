import { Arg, createUnionType, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { YieldContext } from '../deps.js'
import { rebalanceYield, type Rebalance, type RebalanceInput } from '../domain/rebalance-yield.js'
import type { ProviderName } from '../providers/provider.js'
import { YieldProviderEnum } from './strategy.type.js'
import { yieldTenant } from './yield-tenant.js'

const RebalanceModeEnum = graphqlEnum('RebalanceMode', 'In how many transactions a rebalance is done.', {
  single_transaction: 'One transaction holds both legs.',
  two_transaction: 'Two, to be sent in their order: both legs do not fit into one.',
})

@InputType({ description: 'A move of money from one strategy into another of the same token.' })
export class RebalanceYieldInput implements RebalanceInput {
  @Field(() => YieldProviderEnum, { nullable: true, description: 'The provider of both legs.' })
  provider?: ProviderName | null

  @Field(() => YieldProviderEnum, { nullable: true, description: 'The provider that is withdrawn from.' })
  providerOut?: ProviderName | null

  @Field(() => YieldProviderEnum, { nullable: true, description: 'The provider that is deposited into.' })
  providerIn?: ProviderName | null

  @Field(() => String, { description: "The token's symbol, or its mint." })
  asset!: string

  @Field(() => String, { description: 'Whose money it is, and who signs.' })
  wallet!: string

  @Field(() => Decimal, { nullable: true, description: 'How much, in whole tokens; required unless `all`.' })
  amount?: string | null

  @Field(() => Boolean, { nullable: true, description: 'The whole position.' })
  all?: boolean | null

  @Field(() => String, { description: 'The chain, e.g. `solana`.' })
  chainName!: string
}

@ObjectType({ description: 'A rebalance whose legs fit into one unsigned Solana transaction.' })
export class SingleTransactionRebalance {
  @Field(() => RebalanceModeEnum, { description: 'SINGLE_TRANSACTION.' })
  mode!: 'single_transaction'

  @Field(() => String, { description: 'Both legs: the wire in base64.' })
  transaction!: string

  @Field(() => String, { description: 'The blockhash that it is good with.' })
  recentBlockhash!: string

  // GraphQL's Int ends below today's heights.
  @Field(() => Int, { description: 'The last block height at which it can land.' })
  lastValidBlockHeight!: number
}

@ObjectType({ description: 'A rebalance in two unsigned Solana transactions, to be sent in this order.' })
export class TwoTransactionRebalance {
  @Field(() => RebalanceModeEnum, { description: 'TWO_TRANSACTION.' })
  mode!: 'two_transaction'

  @Field(() => String, { description: 'The first, out of the one strategy: the wire in base64.' })
  withdrawTransaction!: string

  @Field(() => String, { description: 'The second, into the other: the wire in base64.' })
  depositTransaction!: string

  @Field(() => String, { description: 'The blockhash that both are good with.' })
  recentBlockhash!: string

  @Field(() => Int, { description: 'The last block height at which they can land.' })
  lastValidBlockHeight!: number
}

const YieldRebalance = createUnionType({
  name: 'YieldRebalance',
  description: 'A rebalance in one transaction or in two.',
  types: () => [SingleTransactionRebalance, TwoTransactionRebalance] as const,
  resolveType: (value: SingleTransactionRebalance | TwoTransactionRebalance) =>
    value.mode === 'single_transaction' ? SingleTransactionRebalance.name : TwoTransactionRebalance.name,
})

@Resolver()
export class RebalanceYieldResolver {
  @Mutation(() => YieldRebalance, { description: 'Builds what moves money from one strategy into another.' })
  async rebalanceYield(
    @Arg('input', () => RebalanceYieldInput, { description: 'What to move.' }) input: RebalanceYieldInput,
    @Ctx() context: YieldContext,
  ): Promise<SingleTransactionRebalance | TwoTransactionRebalance> {
    return present(await rebalanceYield(context.deps, yieldTenant(context), input))
  }
}

function present(rebalance: Rebalance): SingleTransactionRebalance | TwoTransactionRebalance {
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
