import { Arg, Ctx, Directive, Mutation, Resolver } from 'type-graphql'
import { JsonValue } from '../../../../kernel/scalars.js'
import type { PeopleContext } from '../deps.js'
import { proveWithPasskey, startPasskeyProof } from '../passkeys/prove-with-passkey.js'
import { signInWithPasskey, startPasskeySignIn, type PasskeySignInInput } from '../passkeys/sign-in-with-passkey.js'
import { ConsolePasskeySignInInput } from './console-session.type.js'
import { depsOfGateway, Hash, NewHash } from './from-gateway.js'

/** What the gateway asks for people with passkeys. Of cookies only hashes come here. */
@Resolver()
export class ConsolePasskeysResolver {
  @Directive('@inaccessible')
  @Mutation(() => JsonValue, { description: 'What a browser is given to sign in with a passkey, whoever is at it.' })
  startConsolePasskeySignIn(
    @Arg('browserHash', () => String, { description: 'SHA-256, hex, of what its cookie holds.' }) browserHash: string,
    @Ctx() context: PeopleContext,
  ): Promise<unknown> {
    return startPasskeySignIn(depsOfGateway(context), browserHash)
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Opens a session; false where the signature is not right.' })
  signInWithPasskeyAtConsole(
    @Arg('input', () => ConsolePasskeySignInInput, { description: 'What was signed, and from where.' })
    input: PasskeySignInInput,
    @Ctx() context: PeopleContext,
  ): Promise<boolean> {
    return signInWithPasskey(depsOfGateway(context), input)
  }

  @Directive('@inaccessible')
  @Mutation(() => JsonValue, {
    description: 'What a browser is given to prove with a passkey that the person is there.',
  })
  startConsolePasskeyProof(@Hash() hash: string, @Ctx() context: PeopleContext): Promise<unknown> {
    return startPasskeyProof(depsOfGateway(context), hash)
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Notes that the person is there; false where the signature is not right.' })
  proveWithPasskeyAtConsole(
    @Hash() hash: string,
    @NewHash() newHash: string,
    @Arg('credential', () => JsonValue, { description: 'What was signed.' }) credential: unknown,
    @Ctx() context: PeopleContext,
  ): Promise<boolean> {
    return proveWithPasskey(depsOfGateway(context), { hash, newHash }, credential)
  }
}
