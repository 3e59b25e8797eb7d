import { Arg, Ctx, ID, ObjectType, Query, Resolver } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { YieldContext } from '../deps.js'
import {
  listOpportunities,
  type RebalanceOpportunity as Opportunity,
  type RouteOption,
} from '../domain/rebalance-opportunities.js'
import { YieldProviderEnum, YieldToken } from './strategy.type.js'

@Fields<RouteOption>('answer', {
  provider: { type: () => YieldProviderEnum, description: 'The provider.' },
  protocolDisplayName: { type: () => String, description: "The protocol's own name." },
  strategyId: { type: () => ID, description: 'The strategy.' },
  apyPercent: { type: () => Decimal, description: 'What it pays a year with rewards, in percent.' },
})
@ObjectType({ description: 'A strategy among those that a token could be in.' })
export class YieldRouteOption {}

@Fields<Opportunity>('answer', {
  token: { type: () => YieldToken, description: 'The token.' },
  routeWinner: { type: () => String, description: 'The routes, best first, e.g. `SOL-KAMINO > SOL-JUPITER`.' },
  winner: { type: () => YieldRouteOption, description: 'The strategy that pays most.' },
  alternatives: { type: () => [YieldRouteOption], description: 'All others, best first.' },
  apySpreadPercent: {
    type: () => Decimal,
    description: 'How much more the winner pays than the last of the others, in percent.',
  },
})
@ObjectType({ description: 'A token that earns more with one provider than with another.' })
export class RebalanceOpportunity {}

@Fields('answer', {
  opportunities: { type: () => [RebalanceOpportunity], description: 'Best spread first.' },
})
@ObjectType({ description: 'Where tokens could earn more.' })
export class RebalanceOpportunities {}

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
