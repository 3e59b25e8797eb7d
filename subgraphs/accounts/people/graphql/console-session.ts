import { Arg, Ctx, Directive, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { acceptInvitation, declineInvitation, receivedInvitations } from '../answer-invitation.js'
import { chooseTenant, prove, signOut, startProof } from '../change-session.js'
import { sendCode } from '../codes.js'
import { createOwnTenant } from '../create-own-tenant.js'
import type { PeopleContext } from '../deps.js'
import { personEmail } from '../email.js'
import { findSession, type ConsoleSession } from '../find-session.js'
import type { InvitationLanguage } from '../invitation-message.js'
import { signIn, type SignInInput } from '../sign-in.js'
import type { ReceivedInvitation } from '../store/invitations.js'
import type { PersonTenant } from '../store/people.js'
import { ConsoleInvitation, ConsoleSessionType, ConsoleSignInInput, ConsoleTenant } from './console-session.type.js'
import { depsOfGateway, Hash, Language, NewHash } from './from-gateway.js'

/** What the gateway asks for the console. Of a session's cookie only hashes come here. */
@Resolver(() => ConsoleSessionType)
export class ConsoleSessionResolver {
  @Directive('@inaccessible')
  @Query(() => ConsoleSessionType, { nullable: true, description: 'A session; null where it is over.' })
  async consoleSession(
    @Hash() hash: string,
    @Arg('isUse', () => Boolean, { description: 'Whether a person does something: that renews it.' }) isUse: boolean,
    @Arg('tenantId', () => ID, {
      nullable: true,
      description: 'The tenant that is looked at, null for the deployment; left out, the one that was chosen last.',
    })
    tenantId: string | null | undefined,
    @Ctx() context: PeopleContext,
  ): Promise<ConsoleSession | null> {
    return (await findSession(depsOfGateway(context), hash, { isUse, tenantId })) ?? null
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
    @Hash() hash: string,
    @NewHash() newHash: string,
    @Arg('id', () => ID, { description: 'The invitation.' }) id: string,
    @Ctx() context: PeopleContext,
  ): Promise<true> {
    await acceptInvitation(depsOfGateway(context), { hash, newHash }, id)
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Declines an invitation.' })
  async declineConsoleInvitation(
    @Hash() hash: string,
    @Arg('id', () => ID, { description: 'The invitation.' }) id: string,
    @Ctx() context: PeopleContext,
  ): Promise<true> {
    await declineInvitation(depsOfGateway(context), hash, id)
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Sends a code to sign in with, to whatever address.' })
  async sendConsoleCode(
    @Arg('email', () => String, { description: 'The address.' }) email: string,
    @Arg('browserHash', () => String, {
      nullable: true,
      description: 'SHA-256, hex, of what the cookie of the browser holds; null from a gateway of the version before.',
    })
    browserHash: string | null | undefined,
    @Arg('network', () => String, { nullable: true, description: 'The network from which it asks; null likewise.' })
    network: string | null | undefined,
    @Language() language: InvitationLanguage | null | undefined,
    @Ctx() context: PeopleContext,
  ): Promise<true> {
    const owner = { email: personEmail(email), purpose: 'sign-in', browserHash: browserHash ?? null } as const
    await sendCode(depsOfGateway(context), owner, { network: network ?? '', language: language ?? 'en' })
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Opens a session; false where the code is not right.' })
  signInAtConsole(
    @Arg('input', () => ConsoleSignInInput, { description: 'Who, and from where.' }) input: SignInInput,
    @Ctx() context: PeopleContext,
  ): Promise<boolean> {
    return signIn(depsOfGateway(context), input)
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, {
    description: 'Chooses the tenant with which a session begins its next tab; null for the deployment.',
  })
  async chooseConsoleTenant(
    @Hash() hash: string,
    @NewHash() newHash: string,
    @Arg('tenantId', () => ID, { nullable: true, description: 'The tenant.' }) tenantId: string | null | undefined,
    @Ctx() context: PeopleContext,
  ): Promise<true> {
    await chooseTenant(depsOfGateway(context), { hash, newHash }, tenantId ?? null)
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Makes a tenant that the person owns, and chooses it.' })
  async createConsoleTenant(
    @Hash() hash: string,
    @NewHash() newHash: string,
    @Arg('name', () => String, { description: "The tenant's name." }) name: string,
    @Ctx() context: PeopleContext,
  ): Promise<true> {
    await createOwnTenant(depsOfGateway(context), { hash, newHash }, name)
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Sends the person a code to prove to be there.' })
  async startConsoleProof(
    @Hash() hash: string,
    @Language() language: InvitationLanguage | null | undefined,
    @Ctx() context: PeopleContext,
  ): Promise<true> {
    await startProof(depsOfGateway(context), hash, language ?? 'en')
    return true
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Notes that the person is there; false where the code is not right.' })
  proveAtConsole(
    @Hash() hash: string,
    @NewHash() newHash: string,
    @Arg('code', () => String, { description: 'The code.' }) code: string,
    @Ctx() context: PeopleContext,
  ): Promise<boolean> {
    return prove(depsOfGateway(context), { hash, newHash }, code)
  }

  @Directive('@inaccessible')
  @Mutation(() => Boolean, { description: 'Ends a session; false where it was over.' })
  endConsoleSession(@Hash() hash: string, @Ctx() context: PeopleContext): Promise<boolean> {
    return signOut(depsOfGateway(context), hash)
  }
}
