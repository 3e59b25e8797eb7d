import { Arg, Ctx, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Connection } from '../../../kernel/connection.js'
import { connectionType } from '../../../kernel/subgraph-connection.js'
import { AppError } from '../../../kernel/errors.js'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum, operatorOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { listDifferences, type ListDifferencesDeps } from '../domain/operators/list-differences.js'
import { numberIn } from '../domain/operators/numbered-id.js'
import { readReason } from '../domain/operators/read-reason.js'
import {
  resolveDifference,
  type MoneyOwner,
  type ResolveDifferenceDeps,
} from '../domain/reconciliation/resolve-difference.js'
import { DIFFERENCE_KINDS, type DifferenceKind, type StoredDifference } from '../store/differences.js'

const DifferenceStateEnum = graphqlEnum<'open' | 'closed'>('DifferenceState', 'Where a difference stands.', {
  open: 'It is there.',
  closed: 'It is gone, or an operator has resolved it.',
})
const MoneyOwnerEnum = graphqlEnum<MoneyOwner>('MoneyOwner', 'Whose the money of a difference is.', {
  owner: "The deployment's own: it was put in, or taken out, by who runs it.",
  loss: 'It is lost, or was won.',
  bank: 'A tenant has paid it in for refunds, and is credited with it already.',
})

const DifferenceKindEnum = graphqlEnum<DifferenceKind>(
  'DifferenceKind',
  'What differs from our books.',
  DIFFERENCE_KINDS,
)

@Fields('answer', {
  id: { type: () => ID, description: 'The id of the difference.' },
  kind: { type: () => DifferenceKindEnum, description: 'What differs; the operations guide says what to do.' },
  subject: { type: () => String, description: 'What it is about, e.g. a chain and a hash.' },
  expected: { type: () => Decimal, nullable: true, description: 'By our books.' },
  actual: { type: () => Decimal, nullable: true, description: 'By the world.' },
  currency: { type: () => String, nullable: true, description: 'Of both.' },
  details: { type: () => String, nullable: true, description: 'What else is known.' },
  foundAt: { type: () => DateTime, description: 'When it was found.' },
  closedAt: { type: () => DateTime, nullable: true, description: 'When it was closed; null while it is open.' },
  reason: { type: () => String, nullable: true, description: 'The reason of the operator who resolved it.' },
})
@ObjectType({ description: 'Something that differs between our books and a chain or a provider.' })
class ReconciliationDifference {}

const ReconciliationDifferenceConnection = connectionType('ReconciliationDifference', () => ReconciliationDifference, {
  noun: 'a difference',
  order: 'the newest first',
})

@Fields('answer', {
  differenceId: { type: () => ID, description: 'The id of the difference.' },
  entry: { type: () => String, nullable: true, description: 'What was booked for it; null where nothing was.' },
})
@ObjectType({ description: 'A difference that an operator has resolved.' })
class DifferenceResolution {}

@Resolver()
export class DifferencesResolver {
  @Query(() => ReconciliationDifferenceConnection, {
    nullable: true,
    description: 'For operators: what differs between our books and the world, newest first.',
  })
  reconciliationDifferences(
    @Arg('state', () => DifferenceStateEnum, { nullable: true, description: 'Only those that stand there.' })
    state: 'open' | 'closed' | null,
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Ctx() context: SubgraphContext<ListDifferencesDeps>,
  ): Promise<Connection<StoredDifference>> {
    operatorOf(context)
    return listDifferences(context.deps, { state, first, after })
  }

  @Mutation(() => DifferenceResolution, {
    description: 'For operators: closes a difference, and books whose the money is where it has any.',
  })
  async resolveDifference(
    @Arg('id', () => ID, { description: 'Of the difference.' }) id: string,
    @Arg('reason', () => String, { description: 'Why; at most 500 characters.' }) reason: string,
    @Arg('as', () => MoneyOwnerEnum, {
      nullable: true,
      description: 'Whose the money is; needed where money stands in suspense for it, or a balance differs.',
    })
    as: MoneyOwner | null,
    @Ctx() context: SubgraphContext<ResolveDifferenceDeps>,
  ): Promise<{ differenceId: string; entry: string | null }> {
    const { email: by } = operatorOf(context)
    const given = { reason: readReason(reason), by, as: as ?? undefined }
    const number = numberIn('difference', id)
    if (number === undefined) throw new AppError('not_found', { message: 'No difference of this id is open.' })
    const entry = await resolveDifference(context.deps, { id: number, ...given })
    return { differenceId: `difference-${number}`, entry }
  }
}
