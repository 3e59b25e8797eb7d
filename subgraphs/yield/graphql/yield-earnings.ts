import { Arg, Ctx, ObjectType, Query, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { Decimal } from '../../../kernel/scalars.js'
import type { YieldContext } from '../deps.js'
import { findEarnings, type Earnings } from '../domain/yield-earnings.js'
import type { ProviderName } from '../providers/provider.js'
import { YieldProviderEnum } from './strategy.type.js'

interface Position extends Omit<Earnings, 'status' | 'details'> {
  positionOnProtocol: string | null
  earningsStatus: string
  earningsDetails: string | null
}

@Fields<Position>('answer', {
  provider: { type: () => YieldProviderEnum, description: 'The provider.' },
  asset: { type: () => String, description: "The token's symbol." },
  wallet: { type: () => String, description: 'The wallet.' },
  chainName: { type: () => String, description: 'The chain.' },
  position: {
    type: () => Decimal,
    description: 'What it is worth in whole tokens, exactly; null where none.',
    nullable: true,
  },
  positionOnProtocol: { type: () => Decimal, description: 'The same: REST has it twice.', nullable: true },
  earningsStatus: { type: () => String, description: '`ok`, `no_position`, or the code of what went wrong.' },
  earningsDetails: { type: () => String, description: 'More about what went wrong.', nullable: true },
})
@ObjectType({ description: 'What a wallet has in a strategy, read from the chain now.' })
export class YieldPosition {}

@Fields('answer', {
  earnings: { type: () => [YieldPosition], atMost: 1, description: 'One entry for each query.' },
})
@ObjectType({ description: 'Positions of a wallet.' })
export class YieldEarnings {}

@Resolver()
export class EarningsResolver {
  @Query(() => YieldEarnings, { nullable: true, description: 'What a wallet has in a strategy, live from the chain.' })
  async yieldEarnings(
    @Arg('wallet', () => String, { description: 'The wallet.' }) wallet: string,
    @Arg('asset', () => String, { description: "The token's symbol, or its mint." }) asset: string,
    @Arg('provider', () => YieldProviderEnum, { description: 'The provider.' }) provider: ProviderName,
    @Arg('chainName', () => String, { description: 'The chain, e.g. `solana`.' }) chainName: string,
    @Ctx() { deps }: YieldContext,
  ): Promise<{ earnings: Position[] }> {
    return { earnings: [present(await findEarnings(deps, { wallet, asset, provider, chainName }))] }
  }
}

function present({ status, details, position, ...entry }: Earnings): Position {
  return {
    ...entry,
    position,
    positionOnProtocol: position,
    earningsStatus: status,
    earningsDetails: details,
  }
}
