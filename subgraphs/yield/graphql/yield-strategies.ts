import { Arg, Ctx, Int, ObjectType, Query, Resolver } from 'type-graphql'
import type { PromiseOrValue } from '../../../kernel/promise-or-value.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { YieldContext } from '../deps.js'
import { listStrategies, type StrategyList, type StrategySource } from '../domain/yield-strategies.js'
import { YieldProviderEnum, YieldStrategyType } from './strategy.type.js'

@Fields<StrategySource>('answer', {
  provider: { type: () => YieldProviderEnum, description: 'The provider.' },
  ok: { type: () => Boolean, description: 'Whether it answered when it was last asked.' },
  message: { type: () => String, description: 'More about it, for people.' },
  count: { type: () => Int, description: 'How many of its strategies are in the answer.' },
})
@ObjectType({ description: 'How it stands with one provider.' })
export class YieldSource {}

@Fields<StrategyList>('answer', {
  strategies: { type: () => [YieldStrategyType], description: 'The strategies.' },
  sources: {
    type: () => [YieldSource],
    description: 'The providers; the last known figures are served while one is down.',
  },
})
@ObjectType({ description: 'Strategies, and where they come from.' })
export class YieldStrategies {}

@Resolver()
export class StrategiesResolver {
  @Query(() => YieldStrategies, { nullable: true, description: 'The lending strategies of all providers.' })
  yieldStrategies(
    @Arg('symbol', () => String, { nullable: true, description: 'Only those of this token, in any case.' })
    symbol: string | null,
    @Ctx() { deps }: YieldContext,
  ): PromiseOrValue<StrategyList> {
    return listStrategies(deps, symbol === null ? {} : { symbol })
  }
}
