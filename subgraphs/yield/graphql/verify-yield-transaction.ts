import { Arg, Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { YieldContext } from '../deps.js'
import type { InstructionKind } from '../domain/describe-instruction.js'
import { knownMarkets } from '../domain/open-markets.js'
import { verifyYieldTransaction, type VerifiedTransaction } from '../domain/verify-yield-transaction.js'
import { YieldProviderEnum } from './strategy.type.js'

const YieldInstructionKindEnum = graphqlEnum<InstructionKind>('YieldInstructionKind', 'What an instruction does.', {
  deposit: 'Puts tokens into a strategy.',
  withdraw: 'Takes tokens out of a strategy.',
  refresh: "Brings the protocol's figures up to date.",
  create_token_account: 'Makes the account that is to hold a token, where it is missing.',
  wrap_sol: 'Turns SOL into its token.',
  unwrap_sol: 'Turns the token of SOL back into SOL.',
  compute_budget: 'Says how much computing the transaction may use, and its price.',
  other: "None of our transactions': what it does is not known.",
})
const YieldAmountUnitEnum = graphqlEnum('YieldAmountUnit', 'What an amount counts.', {
  asset: 'The token.',
  share: "The protocol's shares.",
})

@ObjectType({ description: 'How much an instruction moves.' })
export class VerifiedAmount {
  @Field(() => String, { description: 'In base units.' })
  baseUnits!: string

  @Field(() => YieldAmountUnitEnum, { description: 'What they are of.' })
  unit!: 'asset' | 'share'

  @Field(() => Decimal, { nullable: true, description: 'In whole tokens, where they are of a known token.' })
  decimal!: string | null
}

@ObjectType({ description: 'What one instruction would do.' })
export class VerifiedInstruction {
  @Field(() => String, { description: 'The program that it calls.' })
  program!: string

  @Field(() => YieldInstructionKindEnum, { description: 'What it does.' })
  kind!: InstructionKind

  @Field(() => YieldProviderEnum, { nullable: true, description: 'The provider whose program it calls.' })
  provider!: string | null

  @Field(() => VerifiedAmount, { nullable: true, description: 'How much it moves.' })
  amount!: VerifiedAmount | null

  @Field(() => String, { nullable: true, description: 'The mint.' })
  mint!: string | null

  @Field(() => String, { nullable: true, description: 'The symbol of the mint, where it is known.' })
  symbol!: string | null

  @Field(() => String, { nullable: true, description: 'Whose money it is.' })
  owner!: string | null

  @Field(() => String, { nullable: true, description: 'The account that receives.' })
  receiver!: string | null

  @Field(() => Boolean, { description: 'Whether it is exactly what this service would build for the fee payer.' })
  isAsBuilt!: boolean
}

@ObjectType({ description: 'What a transaction would do, told from its bytes alone.' })
export class VerifiedYieldTransaction {
  @Field(() => String, { description: 'Who pays the fee.' })
  feePayer!: string

  @Field(() => [String], { description: 'Who has to sign.' })
  signers!: string[]

  @Field(() => [String], { description: 'The programs that it calls.' })
  programs!: string[]

  @Field(() => [VerifiedInstruction], { description: 'Its instructions in their order.' })
  instructions!: VerifiedInstruction[]

  @Field(() => Boolean, { description: 'Whether all of it is what this service builds, for the fee payer.' })
  isBuiltByThisService!: boolean

  @Field(() => [String], { description: 'What a signer should know before signing.' })
  warnings!: string[]
}

@Resolver()
export class VerifyYieldTransactionResolver {
  @Query(() => VerifiedYieldTransaction, {
    nullable: true,
    description: 'Tells what a transaction would do, for the wallet that has to sign it.',
  })
  async verifyYieldTransaction(
    @Arg('transaction', () => String, { description: 'The signed or unsigned wire in base64.' }) transaction: string,
    @Ctx() { deps }: YieldContext,
  ): Promise<VerifiedTransaction> {
    return verifyYieldTransaction(await knownMarkets(deps), transaction, await deps.chain.lookupTable())
  }
}
