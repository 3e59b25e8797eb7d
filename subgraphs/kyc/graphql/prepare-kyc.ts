import { Arg, Ctx, InputType, Mutation, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { EmailAddress } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import type { Preparation } from '../domain/preparation.js'
import { prepareKyc } from '../domain/prepare-kyc.js'
import { KycPreparation } from './kyc.type.js'

@Fields<{ email: string }>('input', {
  email: { type: () => EmailAddress, description: 'Compared in lower case.' },
})
@InputType({ description: 'Whom to prepare for verification.' })
export class PrepareKycInput {}

@Resolver()
export class PrepareKycResolver {
  @Mutation(() => KycPreparation, { description: 'Prepares the owner of an e-mail address for verification.' })
  prepareKyc(
    @Arg('input', () => PrepareKycInput, { description: 'Whom.' }) input: { email: string },
    @Ctx() context: KycContext,
  ): Promise<Preparation> {
    return prepareKyc(context.deps, tenantOf(context), input)
  }
}
