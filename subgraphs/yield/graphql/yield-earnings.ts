import { Arg, Ctx, ObjectType, Query, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { Decimal } from '../../../kernel/scalars.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { YieldContext } from '../deps.js'
import { findEarnings, type Earnings, type EarningsStatus } from '../domain/yield-earnings.js'
import type { ProviderName } from '../providers/provider.js'
import { YieldProviderEnum } from './strategy.type.js'

interface Position extends Omit<Earnings, 'status' | 'details'> {
  earningsStatus: EarningsStatus
  earningsDetails: string | null
}

const EarningsStatusEnum = graphqlEnum<EarningsStatus>('EarningsStatus', 'Whether a position could be read.', {
  ok: 'It was read.',
  no_position: 'The wallet has none. Where its account of shares is not its own any more, the details say so.',
  provider_unavailable: 'The chain, or the provider, could not be asked.',
})

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
  earningsStatus: { type: () => EarningsStatusEnum, description: 'Whether it could be read, and why not.' },
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

function present({ status, details, ...entry }: Earnings): Position {
  return { ...entry, earningsStatus: status, earningsDetails: details }
}
