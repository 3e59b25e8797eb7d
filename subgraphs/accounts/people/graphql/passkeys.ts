import { Arg, Ctx, Directive, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import { listOfAtMost } from '../../../../kernel/cost-directives.js'
import { DateTime, JsonValue } from '../../../../kernel/scalars.js'
import { Fields } from '../../../../kernel/subgraph-fields.js'
import { reauthorizationOf } from '../../domain/acting-tenant.js'
import type { PeopleContext } from '../deps.js'
import type { InvitationLanguage } from '../invitation-message.js'
import { addPasskey, PASSKEYS_MAX, startPasskey, type PasskeyInput } from '../passkeys/add-passkey.js'
import { removePasskey, renamePasskey } from '../passkeys/change-passkey.js'
import type { ListedPasskey } from '../passkeys/store/passkeys.js'
import { LANGUAGE, MailLanguageEnum } from './mail-language.js'
import { personOf, signedInOf } from './person-of.js'

@Fields<ListedPasskey>('answer', {
  id: { type: () => ID, description: "The passkey's id." },
  name: { type: () => String, description: 'What the person calls it.' },
  createdAt: { type: () => DateTime, description: 'When it was added.' },
  lastUsedAt: { type: () => DateTime, description: 'When it was used last; null for never.', nullable: true },
})
@ObjectType('Passkey', { description: 'A passkey with which the person signs in at the console.' })
export class PasskeyType {}

@Fields('answer', {
  options: {
    type: () => JsonValue,
    description:
      '`PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3; its challenge is good for five minutes.',
  },
})
@ObjectType({ description: 'What a browser is given to make a passkey.' })
export class PasskeyCreation {}

@Fields<PasskeyInput>('input', {
  name: { type: () => String, description: 'What to call it: 1 to 60 characters.' },
  credential: { type: () => JsonValue, description: '`RegistrationResponseJSON` of WebAuthn Level 3.' },
  language: { type: () => MailLanguageEnum, ...LANGUAGE },
})
@InputType({ description: 'A passkey that a browser has made.' })
export class AddPasskeyInput {}

@Resolver()
export class PasskeysResolver {
  @Directive(listOfAtMost(PASSKEYS_MAX))
  @Query(() => [PasskeyType], { nullable: true, description: 'The own passkeys of the person who asks, newest first.' })
  passkeys(@Ctx() context: PeopleContext): Promise<ListedPasskey[]> {
    return context.deps.passkeys.list(personOf(context).id)
  }

  @Mutation(() => PasskeyCreation, { description: 'Begins to add a passkey to the person who asks.' })
  async startPasskey(@Ctx() context: PeopleContext): Promise<{ options: object }> {
    return { options: await startPasskey(context.deps, signedInOf(context)) }
  }

  @Mutation(() => PasskeyType, {
    description: 'Adds the passkey that a browser has made for `startPasskey`, and tells the person by e-mail.',
  })
  addPasskey(
    @Arg('input', () => AddPasskeyInput, { description: 'The passkey.' }) input: PasskeyInput,
    @Ctx() context: PeopleContext,
  ): Promise<ListedPasskey> {
    const reauthorize = reauthorizationOf(context.deps, context.caller, 'addPasskey')
    return addPasskey(context.deps, { ...signedInOf(context), reauthorize }, input)
  }

  @Mutation(() => PasskeyType, { description: 'Calls an own passkey something else.' })
  renamePasskey(
    @Arg('id', () => ID, { description: 'The passkey.' }) id: string,
    @Arg('name', () => String, { description: 'What to call it: 1 to 60 characters.' }) name: string,
    @Ctx() context: PeopleContext,
  ): Promise<ListedPasskey> {
    return renamePasskey(context.deps, personOf(context).id, { id, name })
  }

  @Mutation(() => PasskeyType, {
    description: 'Removes an own passkey: nobody signs in with it any more. The person is told by e-mail.',
  })
  removePasskey(
    @Arg('id', () => ID, { description: 'The passkey.' }) id: string,
    @Arg('language', () => MailLanguageEnum, LANGUAGE) language: InvitationLanguage | null,
    @Ctx() context: PeopleContext,
  ): Promise<ListedPasskey> {
    const reauthorize = reauthorizationOf(context.deps, context.caller, 'removePasskey')
    return removePasskey(context.deps, { ...personOf(context), language, reauthorize }, id)
  }
}
