import { Arg, Ctx, InputType, Mutation, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { EmailAddress } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import type { Preparation } from '../domain/preparation.js'
import { prepareKyc } from '../domain/prepare-kyc.js'
import { prepareWalletKyc, type PrepareWalletKycInput as PrepareWallet } from '../domain/prepare-wallet-kyc.js'
import { KycPreparation } from './kyc.type.js'

@Fields<{ email: string }>('input', {
  email: { type: () => EmailAddress, description: 'Compared in lower case.' },
})
@InputType({ description: 'Whom to prepare for verification.' })
export class PrepareKycInput {}

@Fields<PrepareWallet>('input', {
  message: { type: () => String, description: 'The challenge, unchanged.' },
  signedBytes: { type: () => String, description: 'EVM: 0x-hex. Solana: base58 or base64 of 64 bytes.' },
  wallet: {
    type: () => String,
    description: 'The wallet, if it is to be compared with the challenge.',
    nullable: true,
  },
  email: {
    type: () => EmailAddress,
    description: 'An address to link to the wallet; it stays unproved.',
    nullable: true,
  },
})
@InputType({ description: 'A challenge that a wallet has signed.' })
export class PrepareWalletKycInput {}

@Resolver()
export class PrepareKycResolver {
  @Mutation(() => KycPreparation, { description: 'Prepares the owner of an e-mail address for verification.' })
  prepareKyc(
    @Arg('input', () => PrepareKycInput, { description: 'Whom.' }) input: { email: string },
    @Ctx() context: KycContext,
  ): Promise<Preparation> {
    return prepareKyc(context.deps, tenantOf(context), input)
  }

  @Mutation(() => KycPreparation, { description: 'Prepares the owner of a wallet, who has signed a challenge.' })
  prepareWalletKyc(
    @Arg('input', () => PrepareWalletKycInput, { description: 'The challenge and its signature.' })
    input: PrepareWallet,
    @Ctx() context: KycContext,
  ): Promise<Preparation> {
    return prepareWalletKyc(context.deps, tenantOf(context), input)
  }
}
