import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { DateTime, EmailAddress } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import { sendEmailOtp } from '../domain/send-email-otp.js'

@InputType({ description: 'Whom to send a one-time code.' })
export class SendEmailOtpInput {
  @Field(() => EmailAddress, { description: 'An address that was prepared.' })
  email!: string
}

@ObjectType({ description: 'A one-time code that was sent.' })
export class SentEmailOtp {
  @Field(() => DateTime, { description: 'Until when it works.' })
  expiresAt!: Date
}

@Resolver()
export class SendEmailOtpResolver {
  @Mutation(() => SentEmailOtp, { description: 'Sends a one-time code; earlier ones no longer work.' })
  sendEmailOtp(
    @Arg('input', () => SendEmailOtpInput, { description: 'To whom.' }) input: SendEmailOtpInput,
    @Ctx() context: KycContext,
  ): Promise<SentEmailOtp> {
    return sendEmailOtp(context.deps, tenantOf(context), input)
  }
}
