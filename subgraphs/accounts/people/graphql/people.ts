import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import { DateTime, EmailAddress } from '../../../../kernel/scalars.js'
import { graphqlEnum, tenantOf } from '../../../../kernel/subgraph.js'
import { Fields } from '../../../../kernel/subgraph-fields.js'
import type { Role } from '../../../../kernel/tenant.js'
import type { PeopleContext } from '../deps.js'
import { changeRole, invitePerson, removePerson } from '../members.js'
import type { TenantPerson } from '../store/members.js'

const PersonRole = graphqlEnum<Role>('PersonRole', 'What a person may do in a tenant.', {
  owner: 'Everything, people and money included.',
  developer: 'All but people, and money that goes back.',
  support: 'Reads; refunds; webhooks again.',
  viewer: 'Reads.',
})

@Fields<TenantPerson>('answer', {
  id: { type: () => ID, description: "The person's id." },
  email: { type: () => EmailAddress, description: 'The address that the person signs in with.' },
  role: { type: () => PersonRole, description: 'What the person may do.' },
  createdAt: { type: () => DateTime, description: 'When the person was invited.' },
  joinedAt: {
    type: () => DateTime,
    description: 'When the person first signed in; null for never.',
    nullable: true,
  },
})
@ObjectType('Person', { description: 'A person who belongs to the tenant.' })
export class PersonType {}

@InputType({ description: 'Whom to invite.' })
export class InvitePersonInput {
  @Field(() => EmailAddress, { description: 'The address.' })
  email!: string
  @Field(() => PersonRole, { description: 'What the person may do.' })
  role!: Role
}

@Resolver()
export class PeopleResolver {
  @Query(() => [PersonType], {
    nullable: true,
    description: 'The people of the tenant, oldest first. For people only.',
  })
  people(@Ctx() context: PeopleContext): Promise<TenantPerson[]> {
    return context.deps.members.list(tenantOf(context).id)
  }

  @Mutation(() => PersonType, { description: 'Makes somebody a member of the tenant, who can sign in from then on.' })
  invitePerson(
    @Arg('input', () => InvitePersonInput, { description: 'Whom.' }) input: InvitePersonInput,
    @Ctx() context: PeopleContext,
  ): Promise<TenantPerson> {
    return invitePerson(context.deps, tenantOf(context), input)
  }

  @Mutation(() => PersonType, { description: 'Gives a person another role; the last owner stays one.' })
  changePersonRole(
    @Arg('id', () => ID, { description: 'The person.' }) id: string,
    @Arg('role', () => PersonRole, { description: 'The role.' }) role: Role,
    @Ctx() context: PeopleContext,
  ): Promise<TenantPerson> {
    return changeRole(context.deps, tenantOf(context), { id, role })
  }

  @Mutation(() => PersonType, { description: 'Takes a person out of the tenant; the last owner stays.' })
  removePerson(
    @Arg('id', () => ID, { description: 'The person.' }) id: string,
    @Ctx() context: PeopleContext,
  ): Promise<TenantPerson> {
    return removePerson(context.deps, tenantOf(context), id)
  }
}
