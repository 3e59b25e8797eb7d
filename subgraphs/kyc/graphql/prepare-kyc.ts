import { Arg, Ctx, Field, InputType, Mutation, Resolver } from 'type-graphql'
import { EmailAddress } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import type { Preparation } from '../domain/preparation.js'
import { prepareKyc } from '../domain/prepare-kyc.js'
import { KycPreparation } from './kyc.type.js'

@InputType({ description: 'Whom to prepare for verification.' })
export class PrepareKycInput {
  @Field(() => EmailAddress, { description: 'Compared in lower case.' })
  email!: string
}

@Resolver()
export class PrepareKycResolver {
  @Mutation(() => KycPreparation, { description: 'Prepares the owner of an e-mail address for verification.' })
  prepareKyc(
    @Arg('input', () => PrepareKycInput, { description: 'Whom.' }) input: PrepareKycInput,
    @Ctx() context: KycContext,
  ): Promise<Preparation> {
    return prepareKyc(context.deps, tenantOf(context), input)
  }
}
