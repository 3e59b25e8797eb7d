import { Arg, Ctx, ID, InputType, Int, ObjectType, Query, Resolver } from 'type-graphql'
import type { ActorKind } from '../../../kernel/audit.js'
import type { Connection } from '../../../kernel/connection.js'
import { connectionType } from '../../../kernel/subgraph-connection.js'
import { DateTime, JsonValue } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { AccountsContext } from '../deps.js'
import { findEntries } from '../audit/find-entries.js'
import type { AuditEntry, AuditFilter } from '../audit/store.js'

const AuditActorKind = graphqlEnum<ActorKind>('AuditActorKind', 'Who did something.', {
  person: 'One of the people of the tenant, at the console.',
  operator: "One of the deployment's own people, at the console.",
  key: 'An API key.',
  command_line: "Somebody at the deployment's command line.",
})

@Fields<Omit<AuditEntry, 'number'>>('answer', {
  id: { type: () => ID, description: "The entry's id." },
  at: { type: () => DateTime, description: 'When it was begun.' },
  tenantId: { type: () => ID, description: 'In which tenant; null for the deployment itself.', nullable: true },
  actorKind: { type: () => AuditActorKind, description: 'Who: of what kind.' },
  actorId: { type: () => ID, description: 'The id of the person or the key; at the command line, the name.' },
  actorEmail: { type: () => String, description: "The person's address then.", nullable: true },
  operation: { type: () => String, description: 'The mutation, or the words of the command.' },
  subjects: { type: () => JsonValue, description: 'The ids that were given, by the names of their arguments.' },
  address: { type: () => String, description: 'The address that it came from.', nullable: true },
  agent: { type: () => String, description: 'What the browser called itself.', nullable: true },
  requestId: { type: () => ID, description: 'The id of the request, as the logs have it.' },
  outcome: {
    type: () => String,
    description:
      '`done`, or a word for why not: an error code of the release that wrote it, as entries are kept for good. Null where it is not known whether it was done.',
    nullable: true,
  },
  resultId: { type: () => ID, description: 'The id of what was made or changed.', nullable: true },
})
@ObjectType('AuditEntry', { description: 'An act that was written down.' })
export class AuditEntryType {}

@Fields<AuditFilter>('input', {
  actorId: { type: () => ID, nullable: true, description: 'Only of this person, or key.' },
  operation: { type: () => String, nullable: true, description: 'Only this mutation, e.g. `createApiKey`.' },
  tenantId: { type: () => ID, nullable: true, description: 'For operators: only in this tenant.' },
  doneFrom: { type: () => DateTime, nullable: true, description: 'Only what was begun at this time or later.' },
  doneBefore: { type: () => DateTime, nullable: true, description: 'Only what was begun before this time.' },
})
@InputType({ description: 'Which acts; what is left out is any.' })
export class AuditFilterInput {}

const AuditEntryConnection = connectionType('AuditEntry', () => AuditEntryType, {
  noun: 'an act',
  order: 'the newest first',
})

@Resolver()
export class AuditLogResolver {
  @Query(() => AuditEntryConnection, {
    nullable: true,
    description:
      'What was done, by whom and from where, newest first: in the tenant, for its people; for operators anywhere. Nothing of it is ever changed.',
  })
  auditLog(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Arg('filter', () => AuditFilterInput, { nullable: true, description: 'Only some of it.' })
    filter: AuditFilter | null,
    @Ctx() context: AccountsContext,
  ): Promise<Connection<AuditEntry>> {
    return findEntries(context.deps, context.caller, { first, after }, filter ?? {})
  }
}
