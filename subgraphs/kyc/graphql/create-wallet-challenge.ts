import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { DateTime } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import { createWalletChallenge } from '../domain/create-wallet-challenge.js'
import { WalletChainEnum } from './kyc.type.js'

@InputType({ description: 'Which wallet to challenge.' })
export class CreateWalletChallengeInput {
  @Field(() => String, { description: 'The address of an EVM or a Solana wallet.' })
  wallet!: string

  @Field(() => String, { nullable: true, description: 'What the wallet shows its owner, one line.' })
  purpose?: string | null
}

@ObjectType({ description: 'A message for a wallet to sign.' })
export class WalletChallenge {
  @Field(() => String, { description: 'To be signed as it is, every character.' })
  message!: string

  @Field(() => String, { description: 'The address in its canonical form.' })
  wallet!: string

  @Field(() => WalletChainEnum, { description: 'The kind of chain that the wallet is of.' })
  walletChain!: 'evm' | 'solana'

  @Field(() => DateTime, { description: 'From when on it no longer works.' })
  expiresAt!: Date
}

@Resolver()
export class CreateWalletChallengeResolver {
  @Mutation(() => WalletChallenge, { description: 'Gives out a message that proves a wallet once it is signed.' })
  createWalletChallenge(
    @Arg('input', () => CreateWalletChallengeInput, { description: 'For which wallet.' })
    input: CreateWalletChallengeInput,
    @Ctx() context: KycContext,
  ): Promise<WalletChallenge> {
    return createWalletChallenge(context.deps, tenantOf(context), input)
  }
}
