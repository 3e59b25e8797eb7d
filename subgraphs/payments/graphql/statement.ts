import { Arg, Ctx, Field, FieldResolver, ID, InputType, Int, ObjectType, Query, Resolver, Root } from 'type-graphql'
import { PageInfoType } from '../../../kernel/page-info.type.js'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { graphqlEnum, tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { readStatement, type ReadStatementDeps, type Statement } from '../domain/read-statement.js'
import { HOUSE } from '../model/house-entries.js'
import { STATEMENT_KINDS, statementKind, type StatementKind } from '../model/statement-kinds.js'
import type { StatementLine } from '../store/statements.js'
import { RailEnum } from './rail.enum.js'

const StatementLineKindEnum = graphqlEnum<StatementKind | 'other'>(
  'StatementLineKind',
  'What moved an account of the tenant.',
  { ...STATEMENT_KINDS, other: 'Something that only an older release knew.' },
)

@ObjectType('StatementLine', { description: 'One movement on an account of the tenant.' })
export class StatementLineType {
  @Field(() => DateTime, { description: 'When it was booked.' })
  at!: string

  @Field(() => StatementLineKindEnum, { description: 'What it is.' })
  kind!: StatementKind | 'other'

  @Field(() => String, { description: 'The entry of the ledger; unique within its payment.' })
  entry!: string

  @Field(() => ID, { nullable: true, description: 'The payment; null where it belongs to none.' })
  paymentId!: string | null

  @Field(() => ID, { nullable: true, description: "The payment's order." })
  orderCode!: string | null

  @Field(() => RailEnum, { nullable: true, description: 'What the payer paid by.' })
  rail!: string | null

  @Field(() => String, { nullable: true, description: 'Who was paid, where it is one receiver’s.' })
  receiver!: string | null

  @Field(() => String, { nullable: true, description: 'The hash of the transaction that moved it.' })
  transactionHash!: string | null

  @Field(() => String, { description: '`tenant`, or another account of the tenant, e.g. `tenant:refunds`.' })
  account!: string

  @Field(() => String, { description: 'The currency, e.g. `BRL` or `USDT`.' })
  currency!: string

  @Field(() => Decimal, { description: 'How much more the tenant is owed; below 0 with a sign, how much less.' })
  amount!: string
}

@ObjectType({ description: 'What the tenant is owed on an account.' })
export class StatementBalance {
  @Field(() => String, { description: 'The account.' })
  account!: string

  @Field(() => String, { description: 'The currency.' })
  currency!: string

  @Field(() => Decimal, { description: 'How much; below 0 with a sign, what the tenant owes.' })
  balance!: string
}

@ObjectType({ description: 'A line of a statement in a connection.' })
export class StatementEdge {
  @Field(() => String, { description: 'Names its place in the statement.' })
  cursor!: string

  @Field(() => StatementLineType, { description: 'The line.' })
  node!: StatementLineType
}

@ObjectType('StatementConnection', { description: 'A page of a statement with cursors.' })
export class StatementConnection {
  @Field(() => DateTime, { description: 'Where the statement begins.' })
  from!: string

  @Field(() => DateTime, { description: 'Where it ends; the moment itself is not part of it.' })
  to!: string

  @Field(() => [StatementBalance], { description: 'What the tenant was owed at the beginning, whatever the filter.' })
  openingBalances!: StatementBalance[]

  @Field(() => [StatementBalance], { description: 'What the tenant was owed at the end, whatever the filter.' })
  closingBalances!: StatementBalance[]

  @Field(() => [StatementEdge], { description: 'The lines, oldest first.' })
  edges!: StatementEdge[]

  @Field(() => PageInfoType, { description: 'Where the page stands.' })
  pageInfo!: PageInfoType
}

@InputType({ description: 'Which lines of a statement; what is left out is any.' })
export class StatementFilterInput {
  @Field(() => String, { nullable: true, description: "Only what was this receiver's." })
  receiver?: string

  @Field(() => ID, { nullable: true, description: 'Only payments from this order.' })
  orderCode?: string

  @Field(() => RailEnum, { nullable: true, description: 'Only what was paid by this.' })
  rail?: string
}

@Resolver()
export class StatementResolver {
  @Query(() => StatementConnection, { nullable: true, description: 'What the tenant is owed, line by line.' })
  statement(
    @Arg('from', () => DateTime, { description: 'Where it begins.' }) from: string,
    @Arg('to', () => DateTime, { nullable: true, description: 'Where it ends, by default now.' }) to: string | null,
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Arg('filter', () => StatementFilterInput, { nullable: true, description: 'Which lines.' })
    filter: StatementFilterInput | null,
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
}
