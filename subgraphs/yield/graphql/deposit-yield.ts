import { Arg, Ctx, InputType, Mutation, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { Decimal } from '../../../kernel/scalars.js'
import type { YieldContext } from '../deps.js'
import type { MoveInput } from '../domain/check-move.js'
import { depositYield, type BuiltDeposit } from '../domain/deposit-yield.js'
import { YieldProviderEnum } from './strategy.type.js'
import { YieldDepositTransaction } from './transaction.type.js'
import { yieldTenant } from './yield-tenant.js'

@Fields<MoveInput>('input', {
  provider: { type: () => YieldProviderEnum, description: 'The provider.' },
  asset: { type: () => String, description: "The token's symbol, or its mint." },
  wallet: { type: () => String, description: 'Who deposits, and signs.' },
  amount: { type: () => Decimal, description: 'How much, in whole tokens.' },
  chainName: { type: () => String, description: 'The chain, e.g. `solana`.' },
})
@InputType({ description: 'A deposit into a strategy.' })
export class DepositYieldInput {}

@Resolver()
export class DepositYieldResolver {
  @Mutation(() => YieldDepositTransaction, { description: 'Builds the transaction that deposits into a strategy.' })
  buildDepositYield(
    @Arg('input', () => DepositYieldInput, { description: 'What to deposit.' }) input: MoveInput,
    @Ctx() context: YieldContext,
  ): Promise<BuiltDeposit> {
    return depositYield(context.deps, yieldTenant(context), input)
  }
}
