import { Arg, Ctx, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { DateTime } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import {
  createWalletChallenge,
  type CreateWalletChallengeInput as Input,
  type IssuedChallenge,
} from '../domain/create-wallet-challenge.js'
import { WalletChainEnum } from './kyc.type.js'

@Fields<Input>('input', {
  wallet: { type: () => String, description: 'The address of an EVM or a Solana wallet.' },
  purpose: {
    type: () => String,
    description: '`kyc`, or one line of the caller that the wallet shows its owner.',
    nullable: true,
  },
})
@InputType({ description: 'Which wallet to challenge.' })
export class CreateWalletChallengeInput {}

@Fields<IssuedChallenge>('answer', {
  message: { type: () => String, description: 'To be signed as it is, every character.' },
  wallet: { type: () => String, description: 'The address in its canonical form.' },
  walletChain: { type: () => WalletChainEnum, description: 'The kind of chain that the wallet is of.' },
  expiresAt: { type: () => DateTime, description: 'From when on it no longer works.' },
})
@ObjectType({ description: 'A message for a wallet to sign.' })
export class WalletChallenge {}

@Resolver()
export class CreateWalletChallengeResolver {
  @Mutation(() => WalletChallenge, { description: 'Gives out a message that proves a wallet once it is signed.' })
  createWalletChallenge(
    @Arg('input', () => CreateWalletChallengeInput, { description: 'For which wallet.' })
    input: Input,
    @Ctx() context: KycContext,
  ): Promise<IssuedChallenge> {
    return createWalletChallenge(context.deps, tenantOf(context), input)
  }
}
