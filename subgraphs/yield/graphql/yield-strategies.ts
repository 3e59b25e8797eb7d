import { Arg, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql'
import type { YieldContext } from '../deps.js'
import { listStrategies, type StrategyList } from '../domain/yield-strategies.js'
import type { ProviderName } from '../providers/provider.js'
import { YieldProviderEnum, YieldStrategyType } from './strategy.type.js'

@ObjectType({ description: 'How it stands with one provider.' })
export class YieldSource {
  @Field(() => YieldProviderEnum, { description: 'The provider.' })
  provider!: ProviderName

  @Field(() => Boolean, { description: 'Whether it answered when it was last asked.' })
  ok!: boolean

  @Field(() => String, { description: 'More about it, for people.' })
  message!: string

  @Field(() => Int, { description: 'How many of its strategies are in the answer.' })
  count!: number
}

@ObjectType({ description: 'Strategies, and where they come from.' })
export class YieldStrategies {
  @Field(() => [YieldStrategyType], { description: 'The strategies.' })
  strategies!: YieldStrategyType[]

  @Field(() => [YieldSource], { description: 'The providers; the last known figures are served while one is down.' })
  sources!: YieldSource[]
}

@Resolver()
export class StrategiesResolver {
  @Query(() => YieldStrategies, { nullable: true, description: 'The lending strategies of all providers.' })
  yieldStrategies(
    @Arg('symbol', () => String, { nullable: true, description: 'Only those of this token, in any case.' })
    symbol: string | null,
    @Ctx() { deps }: YieldContext,
  ): Promise<StrategyList> {
    return listStrategies(deps, symbol === null ? {} : { symbol })
  }
}
