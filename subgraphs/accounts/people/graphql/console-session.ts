import { Arg, Ctx, Directive, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { acceptInvitation, declineInvitation, receivedInvitations } from '../answer-invitation.js'
import { chooseTenant, prove, signOut, startProof } from '../change-session.js'
import { sendCode } from '../codes.js'
import { createOwnTenant } from '../create-own-tenant.js'
import type { PeopleContext } from '../deps.js'
import { personEmail } from '../email.js'
import { findSession, type ConsoleSession } from '../find-session.js'
import { signIn, type SignInInput } from '../sign-in.js'
import type { ReceivedInvitation } from '../store/invitations.js'
import type { PersonTenant } from '../store/people.js'
import { ConsoleInvitation, ConsoleSessionType, ConsoleSignInInput, ConsoleTenant } from './console-session.type.js'
import { assertGateway } from './from-gateway.js'

const HASH = 'SHA-256, hex, of what the cookie holds.'
const NEW_HASH = 'The same of what it will hold.'

/** What the gateway asks for the console. Of a session's cookie only hashes come here. */
@Resolver(() => ConsoleSessionType)
export class ConsoleSessionResolver {
  @Directive('@inaccessible')
  @Query(() => ConsoleSessionType, { nullable: true, description: 'A session; null where it is over.' })
  async consoleSession(
    @Arg('hash', () => String, { description: HASH }) hash: string,
    @Arg('isUse', () => Boolean, { description: 'Whether a person does something: that renews it.' }) isUse: boolean,
    @Ctx() context: PeopleContext,
  ): Promise<ConsoleSession | null> {
    assertGateway(context)
    return (await findSession(context.deps, hash, isUse)) ?? null
  }

  @FieldResolver(() => [ConsoleTenant], { description: 'The tenants of the person.' })
  tenants(@Root() { personId }: ConsoleSession, @Ctx() context: PeopleContext): Promise<PersonTenant[]> {
    return context.deps.people.tenantsOf(personId)
  }

  @FieldResolver(() => [ConsoleInvitation], { description: 'What the person is invited to.' })
  invitations(@Root() { email }: ConsoleSession, @Ctx() context: PeopleContext): Promise<ReceivedInvitation[]> {
    return receivedInvitations(context.deps, email)
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Accepts an invitation, and chooses its tenant.' })
  async acceptConsoleInvitation(
    @Arg('hash', () => String, { description: HASH }) hash: string,
    @Arg('newHash', () => String, { description: NEW_HASH }) newHash: string,
    @Arg('id', () => ID, { description: 'The invitation.' }) id: string,
    @Ctx() context: PeopleContext,
  ): Promise<true> {
    assertGateway(context)
    await acceptInvitation(context.deps, { hash, newHash }, id)
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Declines an invitation.' })
  async declineConsoleInvitation(
    @Arg('hash', () => String, { description: HASH }) hash: string,
    @Arg('id', () => ID, { description: 'The invitation.' }) id: string,
    @Ctx() context: PeopleContext,
  ): Promise<true> {
    assertGateway(context)
    await declineInvitation(context.deps, hash, id)
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Sends a code to sign in with, to whatever address.' })
  async sendConsoleCode(
    @Arg('email', () => String, { description: 'The address.' }) email: string,
    @Ctx() context: PeopleContext,
  ): Promise<true> {
    assertGateway(context)
    await sendCode(context.deps, { email: personEmail(email), purpose: 'sign-in' })
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Opens a session; false where the code is not right.' })
  signInAtConsole(
    @Arg('input', () => ConsoleSignInInput, { description: 'Who, and from where.' }) input: SignInInput,
    @Ctx() context: PeopleContext,
  ): Promise<boolean> {
    assertGateway(context)
    return signIn(context.deps, input)
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Chooses the tenant that a session looks at; null for the deployment.' })
  async chooseConsoleTenant(
    @Arg('hash', () => String, { description: HASH }) hash: string,
    @Arg('newHash', () => String, { description: NEW_HASH }) newHash: string,
    @Arg('tenantId', () => ID, { nullable: true, description: 'The tenant.' }) tenantId: string | null | undefined,
    @Ctx() context: PeopleContext,
  ): Promise<true> {
    assertGateway(context)
    await chooseTenant(context.deps, { hash, newHash }, tenantId ?? null)
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Makes a tenant that the person owns, and chooses it.' })
  async createConsoleTenant(
    @Arg('hash', () => String, { description: HASH }) hash: string,
    @Arg('newHash', () => String, { description: NEW_HASH }) newHash: string,
    @Arg('name', () => String, { description: "The tenant's name." }) name: string,
    @Ctx() context: PeopleContext,
  ): Promise<true> {
    assertGateway(context)
    await createOwnTenant(context.deps, { hash, newHash }, name)
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Sends the person a code to prove to be there.' })
  async startConsoleProof(
    @Arg('hash', () => String, { description: HASH }) hash: string,
    @Ctx() context: PeopleContext,
  ): Promise<true> {
    assertGateway(context)
    await startProof(context.deps, hash)
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Notes that the person is there; false where the code is not right.' })
  proveAtConsole(
    @Arg('hash', () => String, { description: HASH }) hash: string,
    @Arg('newHash', () => String, { description: NEW_HASH }) newHash: string,
    @Arg('code', () => String, { description: 'The code.' }) code: string,
    @Ctx() context: PeopleContext,
  ): Promise<boolean> {
    assertGateway(context)
    return prove(context.deps, { hash, newHash }, code)
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Ends a session; false where it was over.' })
  endConsoleSession(
    @Arg('hash', () => String, { description: HASH }) hash: string,
    @Ctx() context: PeopleContext,
  ): Promise<boolean> {
    assertGateway(context)
    return signOut(context.deps, hash)
  }
}
