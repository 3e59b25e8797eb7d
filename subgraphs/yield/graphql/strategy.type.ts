import { ID, Int, ObjectType } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { Rate, Strategy } from '../domain/strategy.js'
import type { ProviderName } from '../providers/provider.js'
import { PROVIDERS } from '../providers/registry.js'

export const YieldProviderEnum = graphqlEnum<ProviderName>(
  'YieldProvider',
  'A lending protocol.',
  Object.fromEntries(PROVIDERS.map(({ name, displayName }) => [name, `${displayName}.`])),
)

@Fields<Strategy['token']>('answer', {
  symbol: { type: () => String, description: 'The symbol, e.g. `USDC`.' },
  mint: { type: () => String, description: "The mint's address." },
  decimals: { type: () => Int, description: 'How many decimals its base unit has.', nullable: true },
})
@ObjectType({ description: 'The token that a strategy is in.' })
export class YieldToken {}

@Fields<Rate>('answer', {
  percent: { type: () => Decimal, description: 'In percent: 4 is 4 %.' },
  annualized: { type: () => Decimal, description: 'As a decimal fraction: 0.04 is 4 %.' },
})
@ObjectType({ description: 'A yearly rate, both ways.' })
export class YieldRate {}

@Fields<Strategy['apy']>('answer', {
  supply: { type: () => YieldRate, description: 'What lending pays, without rewards.', nullable: true },
  totalWithRewards: { type: () => YieldRate, description: 'What lending pays, with rewards.', nullable: true },
  rewardsOnly: { type: () => YieldRate, description: 'What rewards add.', nullable: true },
  borrow: { type: () => YieldRate, description: 'What borrowing costs.', nullable: true },
})
@ObjectType({ description: 'What a strategy pays and costs; null where the protocol has no figure.' })
export class ApyBreakdown {}

@Fields<Strategy['risk']>('answer', {
  maxLtv: { type: () => Decimal, description: '0.8 is 80 %.', nullable: true },
  maxLtvPercent: { type: () => Decimal, description: '80 is 80 %.', nullable: true },
})
@ObjectType({ description: 'How much may be borrowed against a deposit; null where it is no collateral.' })
export class YieldRisk {}

@Fields<Strategy['liquidity']>('answer', {
  tvlUsd: { type: () => Decimal, description: 'The value locked.', nullable: true },
  totalSupplyUsd: { type: () => Decimal, description: 'All that was lent.', nullable: true },
  totalBorrowUsd: { type: () => Decimal, description: 'All that is borrowed of it.', nullable: true },
})
@ObjectType({ description: 'How much is in a strategy, in US dollars.' })
export class YieldLiquidity {}

@Fields<Strategy['addresses']>('answer', {
  marketOrVault: { type: () => String, description: 'The market or vault.' },
  reserve: { type: () => String, description: 'The reserve.', nullable: true },
  shareMint: { type: () => String, description: 'The mint of the shares that a deposit gives.', nullable: true },
})
@ObjectType({ description: "A strategy's accounts." })
export class YieldAddresses {}

@Fields<Strategy>('answer', {
  id: { type: () => ID, description: 'Provider, mint and market, separated by colons.' },
  provider: { type: () => YieldProviderEnum, description: 'The provider.' },
  protocolDisplayName: { type: () => String, description: "The protocol's own name." },
  enabled: {
    type: () => Boolean,
    description: 'Whether it takes deposits, both by the protocol and by this deployment.',
  },
  token: { type: () => YieldToken, description: 'The token.' },
  apy: { type: () => ApyBreakdown, description: 'Rates.' },
  risk: { type: () => YieldRisk, description: 'Risk.' },
  liquidity: { type: () => YieldLiquidity, description: 'Size.' },
  addresses: { type: () => YieldAddresses, description: 'Accounts.' },
})
@ObjectType('YieldStrategy', { description: 'A token that can be lent to a protocol.' })
export class YieldStrategyType {}
