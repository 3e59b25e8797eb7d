import { Arg, Ctx, Directive, Mutation, Resolver } from 'type-graphql'
import { JsonValue } from '../../../../kernel/scalars.js'
import type { PeopleContext } from '../deps.js'
import { proveWithPasskey, startPasskeyProof } from '../passkeys/prove-with-passkey.js'
import { signInWithPasskey, startPasskeySignIn, type PasskeySignInInput } from '../passkeys/sign-in-with-passkey.js'
import { ConsolePasskeySignInInput } from './console-session.type.js'
import { assertGateway } from './from-gateway.js'

/** What the gateway asks for people with passkeys. Of cookies only hashes come here. */
@Resolver()
export class ConsolePasskeysResolver {
  @Directive('@inaccessible')
  @Mutation(() => JsonValue, { description: 'What a browser is given to sign in with a passkey, whoever is at it.' })
  startConsolePasskeySignIn(
    @Arg('browserHash', () => String, { description: 'SHA-256, hex, of what its cookie holds.' }) browserHash: string,
    @Ctx() context: PeopleContext,
  ): Promise<unknown> {
    assertGateway(context)
    return startPasskeySignIn(context.deps, browserHash)
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Opens a session; false where the signature is not right.' })
  signInWithPasskeyAtConsole(
    @Arg('input', () => ConsolePasskeySignInInput, { description: 'What was signed, and from where.' })
    input: PasskeySignInInput,
    @Ctx() context: PeopleContext,
  ): Promise<boolean> {
    assertGateway(context)
    return signInWithPasskey(context.deps, input)
  }

  @Directive('@inaccessible')
  @Mutation(() => JsonValue, {
    description: 'What a browser is given to prove with a passkey that the person is there.',
  })
  startConsolePasskeyProof(
    @Arg('hash', () => String, { description: 'SHA-256, hex, of what the cookie holds.' }) hash: string,
    @Ctx() context: PeopleContext,
  ): Promise<unknown> {
    assertGateway(context)
    return startPasskeyProof(context.deps, hash)
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Notes that the person is there; false where the signature is not right.' })
  proveWithPasskeyAtConsole(
    @Arg('hash', () => String, { description: 'SHA-256, hex, of what the cookie holds.' }) hash: string,
    @Arg('newHash', () => String, { description: 'The same of what it will hold.' }) newHash: string,
    @Arg('credential', () => JsonValue, { description: 'What was signed.' }) credential: unknown,
    @Ctx() context: PeopleContext,
  ): Promise<boolean> {
    assertGateway(context)
    return proveWithPasskey(context.deps, { hash, newHash }, credential)
  }
}
