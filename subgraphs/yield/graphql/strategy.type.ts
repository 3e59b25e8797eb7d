import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { ProviderName } from '../providers/provider.js'
import { PROVIDERS } from '../providers/registry.js'

export const YieldProviderEnum = graphqlEnum<ProviderName>(
  'YieldProvider',
  'A lending protocol.',
  Object.fromEntries(PROVIDERS.map(({ name, displayName }) => [name, `${displayName}.`])),
)

@ObjectType({ description: 'The token that a strategy is in.' })
export class YieldToken {
  @Field(() => String, { description: 'The symbol, e.g. `USDC`.' })
  symbol!: string

  @Field(() => String, { description: "The mint's address." })
  mint!: string

  @Field(() => Int, { nullable: true, description: 'How many decimals its base unit has.' })
  decimals!: number
}

@ObjectType({ description: 'A yearly rate, both ways.' })
export class YieldRate {
  @Field(() => Float, { description: 'In percent: 4 is 4 %.' })
  percent!: number

  @Field(() => Float, { description: 'As a decimal fraction: 0.04 is 4 %.' })
  annualized!: number
}

@ObjectType({ description: 'What a strategy pays and costs; null where the protocol has no figure.' })
export class ApyBreakdown {
  @Field(() => YieldRate, { nullable: true, description: 'What lending pays, without rewards.' })
  supply!: YieldRate | null

  @Field(() => YieldRate, { nullable: true, description: 'What lending pays, with rewards.' })
  totalWithRewards!: YieldRate | null

  @Field(() => YieldRate, { nullable: true, description: 'What rewards add.' })
  rewardsOnly!: YieldRate | null

  @Field(() => YieldRate, { nullable: true, description: 'What borrowing costs.' })
  borrow!: YieldRate | null
}

@ObjectType({ description: 'How much may be borrowed against a deposit; null where it is no collateral.' })
export class YieldRisk {
  @Field(() => Float, { nullable: true, description: '0.8 is 80 %.' })
  maxLtv!: number | null

  @Field(() => Float, { nullable: true, description: '80 is 80 %.' })
  maxLtvPercent!: number | null
}

@ObjectType({ description: 'How much is in a strategy, in US dollars.' })
export class YieldLiquidity {
  @Field(() => Float, { nullable: true, description: 'The value locked.' })
  tvlUsd!: number | null

  @Field(() => Float, { nullable: true, description: 'All that was lent.' })
  totalSupplyUsd!: number | null

  @Field(() => Float, { nullable: true, description: 'All that is borrowed of it.' })
  totalBorrowUsd!: number | null
}

@ObjectType({ description: "A strategy's accounts." })
export class YieldAddresses {
  @Field(() => String, { description: 'The market or vault.' })
  marketOrVault!: string

  @Field(() => String, { nullable: true, description: 'The reserve.' })
  reserve!: string | null

  @Field(() => String, { nullable: true, description: 'The mint of the shares that a deposit gives.' })
  shareMint!: string | null
}

@ObjectType('YieldStrategy', { description: 'A token that can be lent to a protocol.' })
export class YieldStrategyType {
  @Field(() => ID, { description: 'Provider, token and contract, separated by colons.' })
  id!: string

  @Field(() => YieldProviderEnum, { description: 'The provider.' })
  provider!: ProviderName

  @Field(() => String, { description: "The protocol's own name." })
  protocolDisplayName!: string

  @Field(() => String, { description: 'The kind of product, e.g. `lending`.' })
  productType!: string

  @Field(() => Boolean, { description: 'Whether it takes deposits, both by the protocol and by this deployment.' })
  enabled!: boolean

  @Field(() => YieldToken, { description: 'The token.' })
  token!: YieldToken

  @Field(() => ApyBreakdown, { description: 'Rates.' })
  apy!: ApyBreakdown

  @Field(() => YieldRisk, { description: 'Risk.' })
  risk!: YieldRisk

  @Field(() => YieldLiquidity, { description: 'Size.' })
  liquidity!: YieldLiquidity

  @Field(() => YieldAddresses, { description: 'Accounts.' })
  addresses!: YieldAddresses
}
