import { Arg, Ctx, Field, ID, InputType, Int, ObjectType, Query, Resolver } from 'type-graphql'
import type { Connection } from '../../../kernel/connection.js'
import { PageInfoType } from '../../../kernel/page-info.type.js'
import { DateTime, EmailAddress } from '../../../kernel/scalars.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import {
  listPaymentPage,
  listPayments,
  type ListPaymentsDeps,
  type PaymentPage as Page,
} from '../domain/list-payments.js'
import type { PaymentStatus } from '../model/payment-status.js'
import type { TransactionType } from '../model/transaction-type.js'
import type { Payment } from '../store/payment.entity.js'
import { PaymentStatusEnum, TransactionTypeEnum } from './payment.enums.js'
import { PaymentType } from './payment.type.js'

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

  @Field(() => PageInfoType, { description: 'Where the page stands.' })
  pageInfo!: PageInfoType
}

@ObjectType({ description: 'A page of payments.' })
export class PaymentPage {
  @Field(() => [PaymentType], { description: 'The payments, newest first.' })
  payments!: Payment[]

  @Field(() => String, { nullable: true, description: 'What `after` is for the next page; null on the last one.' })
  next!: string | null
}

@InputType({ description: 'Which payments of an order to list; what is left out is any.' })
export class OrderPaymentFilterInput {
  @Field(() => PaymentStatusEnum, { nullable: true, description: 'Only payments in this status.' })
  status?: PaymentStatus

  @Field(() => TransactionTypeEnum, { nullable: true, description: 'Only payments that are paid this way.' })
  transactionType?: TransactionType

  @Field(() => EmailAddress, {
    nullable: true,
    description: 'Only payments of this payer; small and capital letters are the same.',
  })
  payerEmail?: string

  @Field(() => String, {
    nullable: true,
    description:
      'Only payments with this id, or whose e-mail address, wallet, hash, txid or a value of whose metadata begins with it: 3 to 200 characters; small and capital letters are the same.',
  })
  search?: string

  @Field(() => DateTime, { nullable: true, description: 'Only payments registered at this time or later.' })
  createdFrom?: string

  @Field(() => DateTime, { nullable: true, description: 'Only payments registered before this time.' })
  createdBefore?: string
}

@InputType({ description: 'Which payments to list; what is left out is any.' })
export class PaymentFilterInput extends OrderPaymentFilterInput {
  @Field(() => ID, { nullable: true, description: 'Only payments from this order.' })
  orderCode?: string
}

@InputType({ description: 'Which page of which payments to list; what is left out is any.' })
export class PaymentPageInput extends PaymentFilterInput {
  @Field(() => Int, { nullable: true, description: '1 to 100, by default 20.' })
  limit?: number

  @Field(() => String, { nullable: true, description: 'The `next` of the page before.' })
  after?: string
}

@Resolver()
export class ListPaymentsResolver {
  @Query(() => PaymentPage, { nullable: true, description: 'A page of the payments, newest first, without edges.' })
  paymentPage(
    @Arg('input', () => PaymentPageInput, { description: 'Which page, of which payments.' }) input: PaymentPageInput,
    @Ctx() context: SubgraphContext<ListPaymentsDeps>,
  ): Promise<Page> {
    return listPaymentPage(context.deps, tenantOf(context), input)
  }

  @Query(() => PaymentConnection, { nullable: true, description: 'The payments, newest first.' })
  payments(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Arg('filter', () => PaymentFilterInput, { nullable: true, description: 'Which payments.' })
    filter: PaymentFilterInput | null,
    @Ctx() context: SubgraphContext<ListPaymentsDeps>,
  ): Promise<Connection<Payment>> {
    return listPayments(context.deps, tenantOf(context), { first, after, filter })
  }
}
