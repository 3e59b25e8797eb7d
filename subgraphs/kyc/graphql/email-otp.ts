import { Arg, Ctx, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { DateTime, EmailAddress } from '../../../kernel/scalars.js'
import type { CodeLanguage } from '../../../kernel/code-message.js'
import { graphqlEnum, tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import { sendEmailOtp, type SendEmailOtpInput as Send } from '../domain/send-email-otp.js'
import { verifyEmailOtp, type VerifyEmailOtpInput as Verify } from '../domain/verify-email-otp.js'

const CodeLanguageEnum = graphqlEnum<CodeLanguage>('CodeLanguage', 'What an e-mail with a code is written in.', {
  en: 'English.',
  pt: 'Portuguese.',
  es: 'Spanish.',
})

@Fields<Omit<Send, 'language'>>('input', {
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

@Fields<Verify>('input', {
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
export class EmailOtpResolver {
  @Mutation(() => SentEmailOtp, { description: 'Sends a one-time code; earlier ones no longer work.' })
  sendEmailOtp(
    @Arg('input', () => SendEmailOtpInput, { description: 'To whom.' }) input: Omit<Send, 'language'>,
    // No field of the input: the contract's body, which is read by it, has none, and what a client sends there is ignored.
    @Arg('language', () => CodeLanguageEnum, { nullable: true, description: 'Of the e-mail; by default English.' })
    language: CodeLanguage | null,
    @Ctx() context: KycContext,
  ): Promise<{ expiresAt: Date }> {
    return sendEmailOtp(context.deps, tenantOf(context), { ...input, language })
  }

  @Mutation(() => VerifiedEmail, {
    description: 'Proves an e-mail address by the newest code; five wrong tries end it.',
  })
  verifyEmailOtp(
    @Arg('input', () => VerifyEmailOtpInput, { description: 'The address and its code.' }) input: Verify,
    @Ctx() context: KycContext,
  ): Promise<{ email: string }> {
    return verifyEmailOtp(context.deps, tenantOf(context), input)
  }
}
