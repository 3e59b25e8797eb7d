import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { EmailAddress } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import { verifyEmailOtp } from '../domain/verify-email-otp.js'

@InputType({ description: 'A one-time code as its owner typed it.' })
export class VerifyEmailOtpInput {
  @Field(() => EmailAddress, { description: 'The address that it was sent to.' })
  email!: string

  @Field(() => String, { description: 'Six digits.' })
  code!: string
}

@ObjectType({ description: 'An e-mail address that was proved.' })
export class VerifiedEmail {
  @Field(() => Boolean, { description: 'Always true.' })
  emailVerified!: boolean
}

@Resolver()
export class VerifyEmailOtpResolver {
  @Mutation(() => VerifiedEmail, {
    description: 'Proves an e-mail address by the newest code; five wrong tries end it.',
  })
  verifyEmailOtp(
    @Arg('input', () => VerifyEmailOtpInput, { description: 'The address and its code.' }) input: VerifyEmailOtpInput,
    @Ctx() context: KycContext,
  ): Promise<VerifiedEmail> {
    return verifyEmailOtp(context.deps, tenantOf(context), input)
  }
}
