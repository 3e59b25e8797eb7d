import { Arg, Ctx, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { EmailAddress } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import { verifyEmailOtp, type VerifyEmailOtpInput as Input } from '../domain/verify-email-otp.js'

@Fields<Input>('input', {
  email: { type: () => EmailAddress, description: 'The address that it was sent to.' },
  code: { type: () => String, description: 'Six digits.' },
  again: {
    type: () => Boolean,
    description: 'Also where it is proved already, for a code that was sent again.',
    nullable: true,
  },
})
@InputType({ description: 'A one-time code as its owner typed it.' })
export class VerifyEmailOtpInput {}

@Fields('answer', {
  email: { type: () => EmailAddress, description: 'The address.' },
})
@ObjectType({ description: 'An e-mail address that was proved.' })
export class VerifiedEmail {}

@Resolver()
export class VerifyEmailOtpResolver {
  @Mutation(() => VerifiedEmail, {
    description: 'Proves an e-mail address by the newest code; five wrong tries end it.',
  })
  verifyEmailOtp(
    @Arg('input', () => VerifyEmailOtpInput, { description: 'The address and its code.' }) input: Input,
    @Ctx() context: KycContext,
  ): Promise<{ email: string }> {
    return verifyEmailOtp(context.deps, tenantOf(context), input)
  }
}
