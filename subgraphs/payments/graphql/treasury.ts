import { Ctx, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { operatorOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import {
  readTreasury,
  type ReadTreasuryDeps,
  type TreasuryAccountBalances,
  type TreasuryOfChain,
  type TreasuryToken,
} from '../domain/operators/read-treasury.js'
import type { TreasuryCap } from '../store/risk.js'

@Fields<TreasuryCap>('answer', {
  perPayout: { type: () => Decimal, nullable: true, description: 'What one payout may be; null where nothing binds.' },
  perDay: {
    type: () => Decimal,
    nullable: true,
    description: 'What payouts of a day may sum up to; null where nothing binds.',
  },
})
@ObjectType('TreasuryCap', { description: 'What may leave the treasury of a token by itself.' })
export class TreasuryCapType {}

@Fields<Omit<TreasuryToken, 'chainName'>>('answer', {
  symbol: { type: () => String, description: "The token, or the chain's coin." },
  balance: {
    type: () => Decimal,
    nullable: true,
    description: 'What the chain shows; null where it cannot be asked now.',
  },
  waitingCount: { type: () => Int, description: 'How many payouts wait or are held.' },
  waiting: { type: () => Decimal, description: 'What they sum up to.' },
  lastDay: { type: () => Decimal, description: 'What the payouts of the last 24 hours sum up to. Gas is no payout.' },
  lastsHours: {
    type: () => Decimal,
    nullable: true,
    description:
      'How many hours what is left after all that waits lasts at that rate; null where nothing left, or the balance is not known.',
  },
  cap: {
    type: () => TreasuryCapType,
    nullable: true,
    description: 'What may leave by itself; null where nothing binds.',
  },
})
@ObjectType('TreasuryToken', { description: 'What the treasury has of a token on a chain, and what it owes.' })
class TreasuryTokenType {}

@Fields<NonNullable<TreasuryOfChain['gasPayer']>>('answer', {
  account: { type: () => String, description: 'Its address.' },
  symbol: { type: () => String, description: "The chain's coin." },
  balance: {
    type: () => Decimal,
    nullable: true,
    description: 'What the chain shows; null where it cannot be asked now.',
  },
})
@ObjectType({ description: 'The account that pays the gas of what shares splits out.' })
class TreasuryGasPayer {}

@Fields<TreasuryAccountBalances['balances'][number]>('answer', {
  symbol: { type: () => String, description: "The token, or the chain's coin." },
  balance: {
    type: () => Decimal,
    nullable: true,
    description: 'What the chain shows; null where it cannot be asked now.',
  },
})
@ObjectType({ description: 'What an account of the treasury has of a token.' })
class TreasuryAccountBalance {}

@Fields<TreasuryAccountBalances>('answer', {
  account: { type: () => String, description: 'Its address.' },
  balances: { type: () => [TreasuryAccountBalance], description: 'By token; the coin that pays gas is one.' },
})
@ObjectType({ description: 'One of the accounts over which the payouts of a chain are spread.' })
class TreasuryAccount {}

@Fields<TreasuryOfChain>('answer', {
  chainName: { type: () => String, description: 'The chain.' },
  account: {
    type: () => String,
    nullable: true,
    description: "The treasury's address, of several the first; null where there is none.",
  },
  accounts: { type: () => [TreasuryAccount], description: 'All its accounts. `tokens` has what they hold together.' },
  readAt: { type: () => DateTime, description: 'When the chain was asked.' },
  isPaused: { type: () => Boolean, description: 'Whether payouts of the whole chain are paused.' },
  tokens: { type: () => [TreasuryTokenType], description: 'By token; the coin that pays gas is one.' },
  gasPayer: {
    type: () => TreasuryGasPayer,
    nullable: true,
    description: 'Who pays the gas of splits; null where nobody has to.',
  },
})
@ObjectType('TreasuryOfChain', { description: 'The treasury on a chain.' })
class TreasuryOfChainType {}

@Resolver()
export class TreasuryResolver {
  @Query(() => [TreasuryOfChainType], {
    nullable: true,
    description:
      'For operators: what the treasury holds on each chain as the chain shows it now, and how long it lasts.',
  })
  treasury(@Ctx() context: SubgraphContext<ReadTreasuryDeps>): Promise<TreasuryOfChain[]> {
    operatorOf(context)
    return readTreasury(context.deps)
  }
}
