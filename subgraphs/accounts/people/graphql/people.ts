import { Arg, Ctx, Directive, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import { listOfAtMost } from '../../../../kernel/cost-directives.js'
import { DateTime, EmailAddress } from '../../../../kernel/scalars.js'
import { graphqlEnum, tenantOf } from '../../../../kernel/subgraph.js'
import { Fields } from '../../../../kernel/subgraph-fields.js'
import type { Role } from '../../../../kernel/tenant.js'
import { actingTenantOf } from '../../graphql/acting-tenant.js'
import type { PeopleContext } from '../deps.js'
import type { InvitationLanguage } from '../invitation-message.js'
import {
  changeRole,
  invitePerson,
  PEOPLE_MAX,
  removePerson,
  resendInvitation,
  type InvitePersonInput as Input,
} from '../members.js'
import type { TenantPerson } from '../store/members.js'
import { LANGUAGE, MailLanguageEnum } from './mail-language.js'

const PersonRole = graphqlEnum<Role>('PersonRole', 'What a person may do in a tenant.', {
  owner: 'Everything, people and money included.',
  developer: 'All but people, and money that goes back.',
  support: 'Reads; refunds; webhooks again.',
  viewer: 'Reads.',
})

const REVOKE_KEYS = {
  defaultValue: false,
  description: 'Whether the API keys that the person made end too; `apiKeyCount` of the answer tells how many live on.',
}

@Fields<TenantPerson>('answer', {
  id: {
    type: () => ID,
    description: "The person's id; as long as the invitation is not accepted, that of the invitation.",
  },
  email: { type: () => EmailAddress, description: 'The address that the person signs in with.' },
  role: { type: () => PersonRole, description: 'What the person may do.' },
  createdAt: { type: () => DateTime, description: 'When the person was invited.' },
  joinedAt: {
    type: () => DateTime,
    description: 'When the person accepted the invitation; null as long as that is open.',
    nullable: true,
  },
  invitationExpiresAt: {
    type: () => DateTime,
    description: 'When the invitation ends, or has ended; null for who has accepted it.',
    nullable: true,
  },
  apiKeyCount: {
    type: () => Int,
    description: 'API keys of the tenant that the person made and that work; they live on when the person is removed.',
  },
})
@ObjectType('Person', { description: 'A person who belongs to the tenant, or is invited to it.' })
export class PersonType {}

@Fields<Input>('input', {
  email: { type: () => EmailAddress, description: 'The address.' },
  role: { type: () => PersonRole, description: 'What the person may do.' },
  language: { type: () => MailLanguageEnum, ...LANGUAGE },
})
@InputType({ description: 'Whom to invite.' })
export class InvitePersonInput {}

@Resolver()
export class PeopleResolver {
  @Directive(listOfAtMost(PEOPLE_MAX))
  @Query(() => [PersonType], {
    nullable: true,
    description: 'The people of the tenant, oldest first, and who is invited. For people only.',
  })
  people(@Ctx() context: PeopleContext): Promise<TenantPerson[]> {
    return context.deps.members.list(tenantOf(context).id, context.deps.clock.now())
  }

  @Mutation(() => PersonType, {
    description:
      'Invites an address to the tenant by e-mail, known or not: who signs in with it accepts or declines, for 7 days.',
  })
  invitePerson(
    @Arg('input', () => InvitePersonInput, { description: 'Whom.' }) input: Input,
    @Ctx() context: PeopleContext,
  ): Promise<TenantPerson> {
    return invitePerson(context.deps, actingTenantOf(context, 'invitePerson'), context.caller.person?.id ?? null, input)
  }

  @Mutation(() => PersonType, {
    description: 'Sends an invitation by e-mail again; it is good for 7 days from then, also where it had ended.',
  })
  resendInvitation(
    @Arg('id', () => ID, { description: 'The invitation: the `id` of who is invited.' }) id: string,
    @Arg('language', () => MailLanguageEnum, LANGUAGE) language: InvitationLanguage | null,
    @Ctx() context: PeopleContext,
  ): Promise<TenantPerson> {
    return resendInvitation(
      context.deps,
      actingTenantOf(context, 'resendInvitation'),
      context.caller.person?.id ?? null,
      { id, language },
    )
  }

  @Mutation(() => PersonType, { description: 'Gives a person another role; the last owner stays one.' })
  changePersonRole(
    @Arg('id', () => ID, { description: 'The person.' }) id: string,
    @Arg('role', () => PersonRole, { description: 'The role.' }) role: Role,
    @Arg('revokeKeys', () => Boolean, REVOKE_KEYS) revokeKeys: boolean,
    @Ctx() context: PeopleContext,
  ): Promise<TenantPerson> {
    return changeRole(context.deps, actingTenantOf(context, 'changePersonRole'), { id, role, revokeKeys })
  }

  @Mutation(() => PersonType, {
    description: 'Takes a person out of the tenant, or an invitation back; the last owner stays.',
  })
  removePerson(
    @Arg('id', () => ID, { description: 'The person.' }) id: string,
    @Arg('revokeKeys', () => Boolean, REVOKE_KEYS) revokeKeys: boolean,
    @Ctx() context: PeopleContext,
  ): Promise<TenantPerson> {
    return removePerson(context.deps, actingTenantOf(context, 'removePerson'), { id, revokeKeys })
  }
}
