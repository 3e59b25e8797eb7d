import { Arg, Ctx, FieldResolver, ID, InputType, Int, ObjectType, Query, Resolver, Root } from 'type-graphql'
import { PageInfoType } from '../../../kernel/page-info.type.js'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum, tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import {
  readStatement,
  type ReadStatementDeps,
  type ReadStatementInput,
  type Statement,
} from '../domain/read-statement.js'
import { HOUSE } from '../model/house-entries.js'
import { STATEMENT_KINDS, statementKind, type StatementKind } from '../model/statement-kinds.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import type { StatementLine } from '../store/statements.js'
import { PaymentType } from './payment.type.js'
import { RailEnum } from './rail.enum.js'

const StatementLineKindEnum = graphqlEnum<StatementKind | 'other'>(
  'StatementLineKind',
  'What moved an account of the tenant.',
  { ...STATEMENT_KINDS, other: 'Something that only an older release knew.' },
)

@Fields('answer', {
  at: { type: () => DateTime, description: 'When it was booked.' },
  kind: { type: () => StatementLineKindEnum, description: 'What it is.' },
  entry: { type: () => String, description: 'The entry of the ledger; unique within its payment.' },
  paymentId: { type: () => ID, nullable: true, description: 'The payment; null where it belongs to none.' },
  orderCode: { type: () => ID, nullable: true, description: "The payment's order." },
  rail: { type: () => RailEnum, nullable: true, description: 'What the payer paid by.' },
  receiver: { type: () => String, nullable: true, description: 'Who was paid, where it is one receiver’s.' },
  transactionHash: { type: () => String, nullable: true, description: 'The hash of the transaction that moved it.' },
  account: { type: () => String, description: '`tenant`, or another account of the tenant, e.g. `tenant:refunds`.' },
  currency: { type: () => String, description: 'The currency, e.g. `BRL` or `USDT`.' },
  amount: { type: () => Decimal, description: 'How much more the tenant is owed; below 0 with a sign, how much less.' },
})
@ObjectType('StatementLine', { description: 'One movement on an account of the tenant.' })
export class StatementLineType {}

@Fields<Statement['openingBalances'][number]>('answer', {
  account: { type: () => String, description: 'The account.' },
  currency: { type: () => String, description: 'The currency.' },
  balance: { type: () => Decimal, description: 'How much; below 0 with a sign, what the tenant owes.' },
})
@ObjectType({ description: 'What the tenant is owed on an account.' })
export class StatementBalance {}

@Fields<Statement['edges'][number]>('answer', {
  cursor: { type: () => String, description: 'Names its place in the statement.' },
  node: { type: () => StatementLineType, description: 'The line.' },
})
@ObjectType({ description: 'A line of a statement in a connection.' })
export class StatementEdge {}

@Fields<Statement>('answer', {
  from: { type: () => DateTime, description: 'Where the statement begins.' },
  to: { type: () => DateTime, description: 'Where it ends; the moment itself is not part of it.' },
  openingBalances: {
    type: () => [StatementBalance],
    description: 'What the tenant was owed at the beginning, whatever the filter.',
  },
  closingBalances: {
    type: () => [StatementBalance],
    description: 'What the tenant was owed at the end, whatever the filter.',
  },
  edges: { type: () => [StatementEdge], description: 'The lines, oldest first.' },
  pageInfo: { type: () => PageInfoType, description: 'Where the page stands.' },
})
@ObjectType('StatementConnection', { description: 'A page of a statement with cursors.' })
export class StatementConnection {}

/** Which lines. */
type StatementFilter = Pick<ReadStatementInput, 'receiver' | 'orderCode' | 'rail'>

@Fields<StatementFilter>('input', {
  receiver: { type: () => String, nullable: true, description: "Only what was this receiver's." },
  orderCode: { type: () => ID, nullable: true, description: 'Only payments from this order.' },
  rail: { type: () => RailEnum, nullable: true, description: 'Only what was paid by this.' },
})
@InputType({ description: 'Which lines of a statement; what is left out is any.' })
export class StatementFilterInput {}

@Resolver()
export class StatementResolver {
  @Query(() => StatementConnection, { nullable: true, description: 'What the tenant is owed, line by line.' })
  statement(
    @Arg('from', () => DateTime, { description: 'Where it begins.' }) from: string,
    @Arg('to', () => DateTime, { nullable: true, description: 'Where it ends, by default now.' }) to: string | null,
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Arg('filter', () => StatementFilterInput, { nullable: true, description: 'Which lines.' })
    filter: StatementFilter | null,
    @Ctx() context: SubgraphContext<ReadStatementDeps>,
  ): Promise<Statement> {
    return readStatement(context.deps, tenantOf(context), { from, to, first, after, ...filter })
  }
}

@Resolver(() => StatementLineType)
export class StatementLineFields {
  @FieldResolver(() => StatementLineKindEnum)
  kind(@Root() { kind }: StatementLine): StatementKind | 'other' {
    return statementKind(kind)
  }

  @FieldResolver(() => ID, { nullable: true })
  paymentId(@Root() { paymentId }: StatementLine): string | null {
    return paymentId === HOUSE.paymentId ? null : paymentId
  }

  @FieldResolver(() => PaymentType, { nullable: true, description: 'The payment; null where it belongs to none.' })
  async payment(
    @Root() { paymentId }: StatementLine,
    @Ctx() context: SubgraphContext<RequestLoaders>,
  ): Promise<Payment | null> {
    if (paymentId === HOUSE.paymentId) return null
    return (await context.deps.paymentById(tenantOf(context).id, paymentId)) ?? null
  }
}
