import { Arg, Ctx, Directive, FieldResolver, ID, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql'
import { listOfAtMost } from '../../../../kernel/cost-directives.js'
import { AppError } from '../../../../kernel/errors.js'
import { DateTime } from '../../../../kernel/scalars.js'
import { Fields } from '../../../../kernel/subgraph-fields.js'
import type { PeopleContext } from '../deps.js'
import { overBefore } from '../find-session.js'
import { SESSIONS_LISTED, type ListedSession } from '../store/sessions.js'
import { personOf } from './person-of.js'

@Fields<ListedSession>('answer', {
  id: { type: () => ID, description: "The session's id." },
  address: { type: () => String, description: 'The address that it was opened from.' },
  agent: { type: () => String, description: 'What the browser calls itself.' },
  createdAt: { type: () => DateTime, description: 'When it was opened.' },
  lastUsedAt: { type: () => DateTime, description: 'When it was used last, to the minute.' },
})
@ObjectType('Session', { description: 'A session of the person at the console.' })
export class SessionType {}

@Resolver(() => SessionType)
export class SessionsResolver {
  @Directive(listOfAtMost(SESSIONS_LISTED))
  @Query(() => [SessionType], {
    nullable: true,
    description: 'The own open sessions of the person who asks, newest first.',
  })
  sessions(@Ctx() context: PeopleContext): Promise<ListedSession[]> {
    const { sessions, clock } = context.deps
    return sessions.list(personOf(context).id, overBefore(clock.now()))
  }

  @FieldResolver(() => Boolean, { description: 'Whether it is the one in which this is asked.' })
  isCurrent(@Root() { id }: ListedSession, @Ctx() context: PeopleContext): boolean {
    return personOf(context).sessionId === id
  }

  @Mutation(() => SessionType, { description: 'Ends an own session, within five seconds.' })
  async endSession(
    @Arg('id', () => ID, { description: 'The session.' }) id: string,
    @Ctx() context: PeopleContext,
  ): Promise<ListedSession> {
    const ended = await context.deps.sessions.endOwn(personOf(context).id, id)
    if (!ended) throw new AppError('not_found', { message: 'No such session.' })
    return ended
  }
}
