import { Arg, Ctx, Directive, ID, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { DateTime } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import type { AnnouncedEvent } from '../store/announced-events.js'
import type { Stores } from '../store/stores.js'

/** What reading a tenant's missed changes needs. */
export type AnnouncedEventsDeps = Pick<Stores, 'payments'>

@Directive('@inaccessible')
@Fields<AnnouncedEvent>('answer', {
  at: { type: () => DateTime, description: 'When it was made.' },
  paymentId: { type: () => ID, description: 'Of the payment.' },
  sequence: { type: () => Int, description: 'Of the entry in the history of the payment.' },
})
@ObjectType('AnnouncedEvent', { description: 'A change of a payment that its tenant is told of.' })
export class AnnouncedEventType {}

@Resolver()
export class AnnouncedEventsResolver {
  @Directive('@inaccessible')
  @Query(() => [AnnouncedEventType], {
    description: 'A page of the changes of all payments behind a place, in the order of their times: 100 at most.',
  })
  announcedEvents(
    @Arg('at', () => DateTime) at: string,
    @Arg('paymentId', () => ID, { defaultValue: '' }) paymentId: string,
    @Arg('sequence', () => Int, { defaultValue: 0 }) sequence: number,
    @Ctx() context: SubgraphContext<AnnouncedEventsDeps>,
  ): Promise<AnnouncedEvent[]> {
    return context.deps.payments.announcedAfter(tenantOf(context).id, { at, paymentId, sequence })
  }
}
