import { Arg, Ctx, Field, InputType, Mutation, Resolver } from 'type-graphql'
import { EmailAddress } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import type { Preparation } from '../domain/preparation.js'
import { prepareWalletKyc } from '../domain/prepare-wallet-kyc.js'
import { KycPreparation } from './kyc.type.js'

@InputType({ description: 'A challenge that a wallet has signed.' })
export class PrepareWalletKycInput {
  @Field(() => String, { description: 'The challenge, unchanged.' })
  message!: string

  @Field(() => String, { description: 'EVM: 0x-hex. Solana: base58 or base64 of 64 bytes.' })
  signedBytes!: string

  @Field(() => String, { nullable: true, description: 'The wallet, if it is to be compared with the challenge.' })
  wallet?: string | null

  @Field(() => EmailAddress, { nullable: true, description: 'An address to link to the wallet; it stays unproved.' })
  email?: string | null
}

@Resolver()
export class PrepareWalletKycResolver {
  @Mutation(() => KycPreparation, { description: 'Prepares the owner of a wallet, who has signed a challenge.' })
  prepareWalletKyc(
    @Arg('input', () => PrepareWalletKycInput, { description: 'The challenge and its signature.' })
    input: PrepareWalletKycInput,
    @Ctx() context: KycContext,
  ): Promise<Preparation> {
    return prepareWalletKyc(context.deps, tenantOf(context), input)
  }
}
