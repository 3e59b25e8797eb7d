import { Arg, Ctx, Field, InputType, Mutation, Resolver } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import type { YieldContext } from '../deps.js'
import type { BuiltTransaction } from '../domain/build-transaction.js'
import { withdrawYield, type WithdrawInput } from '../domain/withdraw-yield.js'
import type { ProviderName } from '../providers/provider.js'
import { YieldProviderEnum } from './strategy.type.js'
import { YieldTransaction } from './transaction.type.js'
import { yieldTenant } from './yield-tenant.js'

@InputType({ description: 'A withdrawal from a strategy.' })
export class WithdrawYieldInput implements WithdrawInput {
  @Field(() => YieldProviderEnum, { description: 'The provider.' })
  provider!: ProviderName

  @Field(() => String, { description: "The token's symbol, or its mint." })
  asset!: string

  @Field(() => String, { description: 'Who withdraws, and signs.' })
  wallet!: string

  @Field(() => Decimal, { nullable: true, description: 'How much, in whole tokens; required unless `all`.' })
  amount?: string | null

  @Field(() => Boolean, { nullable: true, description: 'All that the position is worth when the transaction runs.' })
  all?: boolean | null

  @Field(() => String, { description: 'The chain, e.g. `solana`.' })
  chainName!: string
}

@Resolver()
export class WithdrawYieldResolver {
  @Mutation(() => YieldTransaction, { description: 'Builds the transaction that withdraws from a strategy.' })
  withdrawYield(
    @Arg('input', () => WithdrawYieldInput, { description: 'What to withdraw.' }) input: WithdrawYieldInput,
    @Ctx() context: YieldContext,
  ): Promise<BuiltTransaction> {
    return withdrawYield(context.deps, yieldTenant(context), input)
  }
}
