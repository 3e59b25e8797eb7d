import { Ctx, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { readJobQueue, type WaitingJobs } from '../../../kernel/job-queue.js'
import { DateTime } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { operatorOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import type { ReconciliationState } from '../store/reconciliations.js'
import type { Stores } from '../store/stores.js'

/** What the state of the deployment is read from. */
export type OperatingDeps = Pick<Stores, 'pool' | 'reconciliations'>

@Fields<WaitingJobs>('answer', {
  name: { type: () => String, description: 'What they do.' },
  due: { type: () => Int, description: 'How many could run now.' },
  failed: { type: () => Int, description: 'How many have used up their tries.' },
  oldestDueAt: {
    type: () => DateTime,
    nullable: true,
    description: 'Since when the oldest that could run waits; null where none does.',
  },
})
@ObjectType('WaitingJobs', { description: 'The background jobs of a kind.' })
class WaitingJobsType {}

@Fields<ReconciliationState>('answer', {
  scope: { type: () => String, description: 'What is compared with our books: a chain, or a provider.' },
  begunAt: { type: () => DateTime, description: 'When it last began.' },
  endedAt: {
    type: () => DateTime,
    nullable: true,
    description: 'When it last came to its end; null where it never did.',
  },
  skipped: {
    type: () => String,
    nullable: true,
    description: 'Why the last one could not compare; null where it could.',
  },
})
@ObjectType('Reconciliation', { description: 'How far a comparison of our books with the world has come.' })
class ReconciliationType {}

@Resolver()
export class OperatingResolver {
  @Query(() => [WaitingJobsType], {
    nullable: true,
    description: 'For operators: the background jobs that could run now, by kind; 100,000 are counted at most.',
  })
  jobs(@Ctx() context: SubgraphContext<OperatingDeps>): Promise<WaitingJobs[]> {
    operatorOf(context)
    return readJobQueue(context.deps.pool)
  }

  @Query(() => [ReconciliationType], {
    nullable: true,
    description: 'For operators: how far the comparisons with chains and providers have come.',
  })
  reconciliations(@Ctx() context: SubgraphContext<OperatingDeps>): Promise<ReconciliationState[]> {
    operatorOf(context)
    return context.deps.reconciliations.list()
  }
}
