import { Arg, Ctx, Directive, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import { listOfAtMost } from '../../../../kernel/cost-directives.js'
import { AppError } from '../../../../kernel/errors.js'
import { SCOPES } from '../../../../kernel/permissions.js'
import { DateTime, EmailAddress } from '../../../../kernel/scalars.js'
import { tenantOf } from '../../../../kernel/subgraph.js'
import { Fields } from '../../../../kernel/subgraph-fields.js'
import { actingTenantOf } from '../../graphql/acting-tenant.js'
import { createPersonKey, type PersonKeyInput } from '../create-person-key.js'
import type { PeopleContext } from '../deps.js'
import { withMakers, type KeyMaker, type MadeKey } from '../key-makers.js'
import { personOf } from './person-of.js'
import { KEYS_LISTED } from '../../store/tenant-keys.js'

const SCOPE_LIST = SCOPES.map((scope) => `\`${scope}\``).join(', ')

@Fields<KeyMaker>('answer', {
  personId: { type: () => ID, description: "The person's id." },
  email: { type: () => EmailAddress, description: 'The address that the person signs in with.' },
})
@ObjectType('ApiKeyMaker', { description: 'A person who made an API key, whether a member still or not.' })
export class ApiKeyMakerType {}

@Fields<Omit<MadeKey, 'tenantId' | 'hash'>>('answer', {
  id: { type: () => ID, description: "The key's id." },
  name: { type: () => String, description: 'What it is called.' },
  prefix: { type: () => String, description: 'Its first 12 characters.' },
  scopes: { type: () => [String], description: 'What it is narrowed to; null where it may do all.', nullable: true },
  publicClientId: {
    type: () => ID,
    description:
      "The integration that uses it, whose quota of verifications it counts for; null for the tenant's default one.",
    nullable: true,
  },
  createdAt: { type: () => DateTime, description: 'When it was made.' },
  createdBy: {
    type: () => ApiKeyMakerType,
    description: 'Who made it at the console; null where it was made on the command line.',
    nullable: true,
  },
  expiresAt: { type: () => DateTime, description: 'When it expires; null for never.', nullable: true },
  lastUsedAt: { type: () => DateTime, description: 'When it was used last, to the minute.', nullable: true },
  revokedAt: { type: () => DateTime, description: 'When it was revoked.', nullable: true },
})
@ObjectType('ApiKey', { description: 'What is kept of an API key.' })
export class ApiKeyType {}

@Fields('answer', {
  apiKey: { type: () => ApiKeyType, description: 'What is kept of it.' },
  key: { type: () => String, description: 'The key itself, which is shown now and never again.' },
})
@ObjectType({ description: 'A key at its creation.' })
export class CreatedApiKey {}

@Fields<PersonKeyInput>('input', {
  name: { type: () => String, description: 'What to call it.' },
  scopes: {
    type: () => [String],
    nullable: true,
    description: `What it is narrowed to: ${SCOPE_LIST}, or such as \`orders:*\`. Left out, it may do all. Nothing that your role may not do.`,
  },
  expiresAt: { type: () => DateTime, nullable: true, description: 'When it expires; left out for never.' },
  publicClientId: {
    type: () => ID,
    nullable: true,
    description: 'The public id of the integration that uses it; left out for the default one.',
  },
})
@InputType({ description: 'A new API key.' })
export class CreateApiKeyInput {}

@Resolver()
export class ApiKeysResolver {
  @Directive(listOfAtMost(KEYS_LISTED))
  @Query(() => [ApiKeyType], {
    nullable: true,
    description: "The tenant's newest keys, 200 at most; revoked and expired ones too. For people only.",
  })
  async apiKeys(@Ctx() context: PeopleContext): Promise<MadeKey[]> {
    return withMakers(context.deps, await context.deps.accounts.listNewestKeys(tenantOf(context).id))
  }

  @Mutation(() => CreatedApiKey, { description: 'Makes a key; it is shown this once.' })
  async createApiKey(
    @Arg('input', () => CreateApiKeyInput, { description: 'What it may do.' }) input: PersonKeyInput,
    @Ctx() context: PeopleContext,
  ): Promise<{ key: string; apiKey: MadeKey }> {
    const maker = personOf(context)
    const tenant = actingTenantOf(context, 'createApiKey')
    const { key, apiKey } = await createPersonKey(context.deps, tenant, input, maker.id)
    return { key, apiKey: { ...apiKey, createdBy: { personId: maker.id, email: maker.email } } }
  }

  @Mutation(() => ApiKeyType, { description: 'Ends a key for good, within five seconds.' })
  async revokeApiKey(
    @Arg('id', () => ID, { description: 'The key.' }) id: string,
    @Ctx() context: PeopleContext,
  ): Promise<MadeKey> {
    const { accounts, clock, transaction } = context.deps
    const tenant = actingTenantOf(context, 'revokeApiKey')
    const key = await transaction(async (em) => {
      await tenant.reauthorize(em)
      return accounts.revokeTenantKey(em, tenant.id, id, clock.now())
    })
    if (!key) throw new AppError('not_found', { message: 'No such key.' })
    const [made] = await withMakers(context.deps, [key])
    if (!made) throw new Error('a key was lost')
    return made
  }
}
