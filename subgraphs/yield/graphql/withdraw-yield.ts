import { Arg, Ctx, InputType, Mutation, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { Decimal } from '../../../kernel/scalars.js'
import type { YieldContext } from '../deps.js'
import type { BuiltTransaction } from '../domain/build-transaction.js'
import { withdrawYield, type WithdrawInput } from '../domain/withdraw-yield.js'
import { YieldProviderEnum } from './strategy.type.js'
import { YieldTransaction } from './transaction.type.js'
import { yieldTenant } from './yield-tenant.js'

@Fields<WithdrawInput>('input', {
  provider: { type: () => YieldProviderEnum, description: 'The provider.' },
  asset: { type: () => String, description: "The token's symbol, or its mint." },
  wallet: { type: () => String, description: 'Who withdraws, and signs.' },
  amount: {
    type: () => Decimal,
    description: 'How much, in whole tokens; required unless `all`, and left out with it.',
    nullable: true,
  },
  all: {
    type: () => Boolean,
    description: 'All that the position is worth when the transaction runs.',
    nullable: true,
  },
  chainName: { type: () => String, description: 'The chain, e.g. `solana`.' },
})
@InputType({ description: 'A withdrawal from a strategy.' })
export class WithdrawYieldInput {}

@Resolver()
export class WithdrawYieldResolver {
  @Mutation(() => YieldTransaction, { description: 'Builds the transaction that withdraws from a strategy.' })
  buildWithdrawYield(
    @Arg('input', () => WithdrawYieldInput, { description: 'What to withdraw.' }) input: WithdrawInput,
    @Ctx() context: YieldContext,
  ): Promise<BuiltTransaction> {
    return withdrawYield(context.deps, yieldTenant(context), input)
  }
}
