import { Arg, Ctx, ObjectType, Query, Resolver } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { YieldContext } from '../deps.js'
import type { InstructionKind } from '../domain/describe-instruction.js'
import {
  verifyYieldTransaction,
  type VerifiedInstruction as Instruction,
  type VerifiedTransaction,
} from '../domain/verify-yield-transaction.js'
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

@Fields<NonNullable<Instruction['amount']>>('answer', {
  baseUnits: { type: () => String, description: 'In base units.' },
  unit: { type: () => YieldAmountUnitEnum, description: 'What they are of.' },
  decimal: { type: () => Decimal, description: 'In whole tokens, where they are of a known token.', nullable: true },
})
@ObjectType({ description: 'How much an instruction moves.' })
export class VerifiedAmount {}

@Fields<Instruction>('answer', {
  program: { type: () => String, description: 'The program that it calls.' },
  kind: { type: () => YieldInstructionKindEnum, description: 'What it does.' },
  provider: { type: () => YieldProviderEnum, description: 'The provider whose program it calls.', nullable: true },
  amount: { type: () => VerifiedAmount, description: 'How much it moves.', nullable: true },
  mint: { type: () => String, description: 'The mint.', nullable: true },
  symbol: { type: () => String, description: 'The symbol of the mint, where it is known.', nullable: true },
  owner: { type: () => String, description: 'Whose money it is.', nullable: true },
  receiver: { type: () => String, description: 'The account that receives.', nullable: true },
  receiverOwner: {
    type: () => String,
    description: 'Who owns the account that receives; null where nobody can say.',
    nullable: true,
  },
  isAsBuilt: {
    type: () => Boolean,
    description: 'Whether it is exactly what this service would build for the fee payer.',
  },
})
@ObjectType({ description: 'What one instruction would do.' })
export class VerifiedInstruction {}

@Fields<VerifiedTransaction>('answer', {
  feePayer: { type: () => String, description: 'Who pays the fee.' },
  signers: { type: () => [String], description: 'Who has to sign.' },
  programs: { type: () => [String], description: 'The programs that it calls.' },
  instructions: { type: () => [VerifiedInstruction], description: 'Its instructions in their order.' },
  isBuiltByThisService: {
    type: () => Boolean,
    description: 'Whether all of it is what this service builds, for the fee payer.',
  },
  warnings: { type: () => [String], description: 'What a signer should know before signing.' },
})
@ObjectType({
  description:
    'What a transaction would do, told from its bytes; whose the receiving accounts are is read from the chain.',
})
export class VerifiedYieldTransaction {}

@Resolver()
export class VerifyYieldTransactionResolver {
  @Query(() => VerifiedYieldTransaction, {
    nullable: true,
    description: 'Tells what a transaction would do, for the wallet that has to sign it.',
  })
  verifyYieldTransaction(
    @Arg('transaction', () => String, { description: 'The signed or unsigned wire in base64.' }) transaction: string,
    @Ctx() { deps }: YieldContext,
  ): Promise<VerifiedTransaction> {
    return verifyYieldTransaction(deps, transaction)
  }
}
