import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Ctx, Directive, ID, Info, InputType, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import {
  listPaymentPage,
  listPayments,
  type ListPaymentsDeps,
  type PaymentConnection as Connection,
  type PaymentPage as Page,
  type PaymentPageInput as PageInput,
} from '../domain/list-payments.js'
import type { PaymentSort } from '../model/payment-sort.js'
import type { PaymentFilter } from '../store/payment-filter.js'
import { listedProperties } from './listed-fields.js'
import { PaymentConnection } from './payment-connection.type.js'
import { PaymentFilterFields, PaymentFilterInput, PaymentSortInput } from './payment-filter.inputs.js'
import { PaymentType } from './payment.type.js'

@Directive('@inaccessible')
@Fields<Page>('answer', {
  payments: { type: () => [PaymentType], description: 'The payments, newest first.' },
  next: { type: () => String, nullable: true, description: 'What `after` is for the next page; null on the last one.' },
})
@ObjectType({ description: 'A page of payments.' })
export class PaymentPage {}

@Directive('@inaccessible')
@Fields<Pick<PageInput, 'orderCode' | 'limit' | 'after'>>('input', {
  orderCode: { type: () => ID, nullable: true, description: 'Only payments from this order.' },
  limit: { type: () => Int, nullable: true, description: '1 to 100, by default 20.' },
  after: { type: () => String, nullable: true, description: 'The `next` of the page before.' },
})
@InputType({ description: 'Which page of which payments to list; what is left out is any.' })
export class PaymentPageInput extends PaymentFilterFields {}

@Resolver()
export class ListPaymentsResolver {
  @Directive('@inaccessible')
  @Query(() => PaymentPage, {
    nullable: true,
    description: 'A page of the payments, newest first, without edges: what REST lists by.',
  })
  paymentPage(
    @Arg('input', () => PaymentPageInput, { description: 'Which page, of which payments.' }) input: PageInput,
    @Ctx() context: SubgraphContext<ListPaymentsDeps>,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    return listPaymentPage(context.deps, tenantOf(context), input, listedProperties(info, ['payments']))
  }

  @Query(() => PaymentConnection, {
    nullable: true,
    description: 'The payments, newest first unless `sort` says more.',
  })
  payments(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Arg('filter', () => PaymentFilterInput, { nullable: true, description: 'Which payments.' })
    filter: PaymentFilter | null,
    @Arg('sort', () => PaymentSortInput, { nullable: true, description: 'In which order.' })
    sort: PaymentSort | null,
    @Ctx() context: SubgraphContext<ListPaymentsDeps>,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection> {
    const shown = listedProperties(info, ['edges', 'node'])
    return listPayments(context.deps, tenantOf(context), { first, after, filter, sort, shown })
  }
}
