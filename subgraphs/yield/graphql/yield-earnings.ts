import { Arg, Ctx, Field, Float, ObjectType, Query, Resolver } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import type { YieldContext } from '../deps.js'
import { findEarnings, type Earnings } from '../domain/yield-earnings.js'
import type { ProviderName } from '../providers/provider.js'
import { YieldProviderEnum } from './strategy.type.js'

@ObjectType({ description: 'What a wallet has in a strategy, read from the chain now.' })
export class YieldPosition {
  @Field(() => YieldProviderEnum, { description: 'The provider.' })
  provider!: ProviderName

  @Field(() => String, { description: "The token's symbol." })
  asset!: string

  @Field(() => String, { description: 'The wallet.' })
  wallet!: string

  @Field(() => String, { description: 'The chain.' })
  chainName!: string

  @Field(() => Decimal, { nullable: true, description: 'What it is worth in whole tokens, exactly; null where none.' })
  position!: string | null

  @Field(() => Float, { nullable: true, description: 'The same as a number.' })
  positionOnProtocol!: number | null

  @Field(() => String, { description: '`ok`, `no_position`, or the code of what went wrong.' })
  earningsStatus!: string

  @Field(() => String, { nullable: true, description: 'More about what went wrong.' })
  earningsDetails!: string | null
}

@ObjectType({ description: 'Positions of a wallet.' })
export class YieldEarnings {
  @Field(() => [YieldPosition], { description: 'One entry for each query.' })
  earnings!: YieldPosition[]
}

@Resolver()
export class EarningsResolver {
  @Query(() => YieldEarnings, { nullable: true, description: 'What a wallet has in a strategy, live from the chain.' })
  async yieldEarnings(
    @Arg('wallet', () => String, { description: 'The wallet.' }) wallet: string,
    @Arg('asset', () => String, { description: "The token's symbol, or its mint." }) asset: string,
    @Arg('provider', () => YieldProviderEnum, { description: 'The provider.' }) provider: ProviderName,
    @Arg('chainName', () => String, { description: 'The chain, e.g. `solana`.' }) chainName: string,
    @Ctx() { deps }: YieldContext,
  ): Promise<{ earnings: YieldPosition[] }> {
    return { earnings: [present(await findEarnings(deps, { wallet, asset, provider, chainName }))] }
  }
}

function present({ status, details, position, ...entry }: Earnings): YieldPosition {
  return {
    ...entry,
    position,
    positionOnProtocol: position === null ? null : Number(position),
    earningsStatus: status,
    earningsDetails: details,
  }
}
