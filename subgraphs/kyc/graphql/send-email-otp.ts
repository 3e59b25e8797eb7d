import { Arg, Ctx, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { DateTime, EmailAddress } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import { sendEmailOtp } from '../domain/send-email-otp.js'

@Fields<{ email: string }>('input', {
  email: { type: () => EmailAddress, description: 'An address that was prepared.' },
})
@InputType({ description: 'Whom to send a one-time code.' })
export class SendEmailOtpInput {}

@Fields('answer', {
  expiresAt: { type: () => DateTime, description: 'Until when it works.' },
})
@ObjectType({ description: 'A one-time code that was sent.' })
export class SentEmailOtp {}

@Resolver()
export class SendEmailOtpResolver {
  @Mutation(() => SentEmailOtp, { description: 'Sends a one-time code; earlier ones no longer work.' })
  sendEmailOtp(
    @Arg('input', () => SendEmailOtpInput, { description: 'To whom.' }) input: { email: string },
    @Ctx() context: KycContext,
  ): Promise<{ expiresAt: Date }> {
    return sendEmailOtp(context.deps, tenantOf(context), input)
  }
}
