import { Arg, Ctx, Directive, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import { GatewayMethodEnum } from '../../../terms/graphql/terms.type.js'
import type { OrdersContext } from '../deps.js'
import { listOrders, type OrderPage as Page } from '../domain/list-orders.js'
import { OrderType } from './order.type.js'

@Directive('@inaccessible')
@Fields('answer', {
  total: { type: () => Int, description: 'How many there are in all.' },
  page: { type: () => Int, description: 'The page, from 1.' },
  limit: { type: () => Int, description: 'How many a page holds.' },
  totalPages: { type: () => Int, description: 'How many pages there are.' },
})
@ObjectType({ description: 'Where a page stands in its list.' })
export class Pagination {}

@Directive('@inaccessible')
@Fields('answer', {
  orders: { type: () => [OrderType], description: 'The orders, newest first.' },
  pagination: { type: () => Pagination, description: 'Where the page stands.' },
})
@ObjectType({ description: 'A page of orders.' })
export class OrderPage {}

@Resolver()
export class ListOrdersResolver {
  @Directive('@inaccessible')
  @Query(() => OrderPage, {
    nullable: true,
    description: 'A page of the orders, newest first, by its number: what REST lists by.',
  })
  orderPage(
    @Arg('page', () => Int, { nullable: true, description: 'From 1, which is the default.' }) page: number | null,
    @Arg('limit', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) limit: number | null,
    @Arg('gatewayMethod', () => GatewayMethodEnum, { nullable: true, description: 'Only orders of this kind.' })
    gatewayMethod: 'direct' | 'subs' | null,
    @Arg('onRamp', () => Boolean, { nullable: true, description: 'Only orders that are, or are not, on-ramps.' })
    onRamp: boolean | null,
    @Ctx() context: OrdersContext,
  ): Promise<Page> {
    return listOrders(context.deps, tenantOf(context), { page: page ?? 1, limit: limit ?? 20, gatewayMethod, onRamp })
  }
}
