import { Arg, Ctx, Directive, Field, InputType, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { DateTime } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { PaymentsContext } from '../deps.js'
import { listPayments, type PaymentConnection as Connection } from '../domain/list-payments.js'
import type { PaymentStatus } from '../domain/payment-status.js'
import type { TransactionType } from '../domain/transaction-type.js'
import { PaymentStatusEnum, PaymentType, TransactionTypeEnum } from './payment.type.js'

@Directive('@shareable')
@ObjectType({ description: 'Where a page of a connection stands.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether more follow.' })
  hasNextPage!: boolean

  @Field(() => Boolean, { description: 'Whether there are some before.' })
  hasPreviousPage!: boolean

  @Field(() => String, { nullable: true, description: 'The cursor of the first; null on an empty page.' })
  startCursor!: string | null

  @Field(() => String, { nullable: true, description: 'The cursor of the last; null on an empty page.' })
  endCursor!: string | null
}

@ObjectType({ description: 'A payment in a connection.' })
export class PaymentEdge {
  @Field(() => String, { description: 'Names its place in the list.' })
  cursor!: string

  @Field(() => PaymentType, { description: 'The payment.' })
  node!: PaymentType
}

@ObjectType({ description: 'A page of payments with cursors.' })
export class PaymentConnection {
  @Field(() => [PaymentEdge], { description: 'The payments, newest first.' })
  edges!: PaymentEdge[]

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo
}

@InputType({ description: 'Which payments to list; what is left out is any.' })
export class PaymentFilterInput {
  @Field(() => PaymentStatusEnum, { nullable: true, description: 'Only payments in this status.' })
  status?: PaymentStatus

  @Field(() => TransactionTypeEnum, { nullable: true, description: 'Only payments that are paid this way.' })
  transactionType?: TransactionType

  @Field(() => String, { nullable: true, description: 'Only payments from this order.' })
  orderCode?: string

  @Field(() => DateTime, { nullable: true, description: 'Only payments registered at this time or later.' })
  createdFrom?: string

  @Field(() => DateTime, { nullable: true, description: 'Only payments registered before this time.' })
  createdBefore?: string
}

@Resolver()
export class ListPaymentsResolver {
  @Query(() => PaymentConnection, { description: 'The payments, newest first.' })
  payments(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Arg('filter', () => PaymentFilterInput, { nullable: true, description: 'Which payments.' })
    filter: PaymentFilterInput | null,
    @Ctx() context: PaymentsContext,
  ): Promise<Connection> {
    return listPayments(context.deps, tenantOf(context), { first: first ?? 20, after, filter: filter ?? {} })
  }
}
