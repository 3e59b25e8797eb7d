import { Arg, Ctx, Field, Float, ID, ObjectType, Query, Resolver } from 'type-graphql'
import type { YieldContext } from '../deps.js'
import { listOpportunities, type RebalanceOpportunity as Opportunity } from '../domain/rebalance-opportunities.js'
import type { ProviderName } from '../providers/provider.js'
import { YieldProviderEnum, YieldToken } from './strategy.type.js'

@ObjectType({ description: 'A strategy among those that a token could be in.' })
export class YieldRouteOption {
  @Field(() => YieldProviderEnum, { description: 'The provider.' })
  provider!: ProviderName

  @Field(() => String, { description: "The protocol's own name." })
  protocolDisplayName!: string

  @Field(() => ID, { description: 'The strategy.' })
  strategyId!: string

  @Field(() => Float, { description: 'What it pays a year with rewards, in percent.' })
  apyPercent!: number
}

@ObjectType({ description: 'A token that earns more with one provider than with another.' })
export class RebalanceOpportunity {
  @Field(() => YieldToken, { description: 'The token.' })
  token!: Pick<YieldToken, 'symbol' | 'mint'>

  @Field(() => YieldProviderEnum, { description: 'The provider that pays most.' })
  routeWinner!: ProviderName

  @Field(() => YieldRouteOption, { description: 'The strategy that pays most.' })
  winner!: YieldRouteOption

  @Field(() => [YieldRouteOption], { description: 'All others, best first.' })
  alternatives!: YieldRouteOption[]

  @Field(() => Float, { description: 'How much more the winner pays than the last of the others, in percent.' })
  apySpreadPercent!: number
}

@ObjectType({ description: 'Where tokens could earn more.' })
export class RebalanceOpportunities {
  @Field(() => [RebalanceOpportunity], { description: 'Best spread first.' })
  opportunities!: RebalanceOpportunity[]
}

@Resolver()
export class OpportunitiesResolver {
  @Query(() => RebalanceOpportunities, { nullable: true, description: 'Where tokens could earn more, best first.' })
  async rebalanceOpportunities(
    @Arg('symbol', () => String, { nullable: true, description: 'Only this token, in any case.' })
    symbol: string | null,
    @Ctx() { deps }: YieldContext,
  ): Promise<{ opportunities: Opportunity[] }> {
    return { opportunities: await listOpportunities(deps, symbol === null ? {} : { symbol }) }
  }
}
