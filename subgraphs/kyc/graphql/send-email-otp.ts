import { Arg, Ctx, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { DateTime, EmailAddress } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import { sendEmailOtp, type SendEmailOtpInput as Input } from '../domain/send-email-otp.js'

@Fields<Input>('input', {
  email: { type: () => EmailAddress, description: 'An address that was prepared.' },
  again: {
    type: () => Boolean,
    description: 'Also where it is proved already, for somebody who has to prove it anew.',
    nullable: true,
  },
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
    @Arg('input', () => SendEmailOtpInput, { description: 'To whom.' }) input: Input,
    @Ctx() context: KycContext,
  ): Promise<{ expiresAt: Date }> {
    return sendEmailOtp(context.deps, tenantOf(context), input)
  }
}
