import { Arg, Ctx, Field, InputType, Mutation, Resolver } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import type { YieldContext } from '../deps.js'
import type { BuiltTransaction } from '../domain/build-transaction.js'
import type { MoveInput } from '../domain/check-move.js'
import { depositYield } from '../domain/deposit-yield.js'
import type { ProviderName } from '../providers/provider.js'
import { YieldProviderEnum } from './strategy.type.js'
import { YieldTransaction } from './transaction.type.js'
import { yieldTenant } from './yield-tenant.js'

@InputType({ description: 'A deposit into a strategy.' })
export class DepositYieldInput implements MoveInput {
  @Field(() => YieldProviderEnum, { description: 'The provider.' })
  provider!: ProviderName

  @Field(() => String, { description: "The token's symbol, or its mint." })
  asset!: string

  @Field(() => String, { description: 'Who deposits, and signs.' })
  wallet!: string

  @Field(() => Decimal, { description: 'How much, in whole tokens.' })
  amount!: string

  @Field(() => String, { description: 'The chain, e.g. `solana`.' })
  chainName!: string
}

@Resolver()
export class DepositYieldResolver {
  @Mutation(() => YieldTransaction, { description: 'Builds the transaction that deposits into a strategy.' })
  depositYield(
    @Arg('input', () => DepositYieldInput, { description: 'What to deposit.' }) input: DepositYieldInput,
    @Ctx() context: YieldContext,
  ): Promise<BuiltTransaction> {
    return depositYield(context.deps, yieldTenant(context), input)
  }
}
