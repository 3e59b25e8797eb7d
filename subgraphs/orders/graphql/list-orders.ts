import { Arg, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { OrdersContext } from '../deps.js'
import { listOrders, type OrderPage as Page } from '../domain/list-orders.js'
import { GatewayMethodEnum, OrderType } from './order.type.js'

@ObjectType({ description: 'Where a page stands in its list.' })
export class Pagination {
  @Field(() => Int, { description: 'How many there are in all.' })
  total!: number

  @Field(() => Int, { description: 'The page, from 1.' })
  page!: number

  @Field(() => Int, { description: 'How many a page holds.' })
  limit!: number

  @Field(() => Int, { description: 'How many pages there are.' })
  totalPages!: number
}

@ObjectType({ description: 'A page of orders.' })
export class OrderPage {
  @Field(() => [OrderType], { description: 'The orders, newest first.' })
  orders!: OrderType[]

  @Field(() => Pagination, { description: 'Where the page stands.' })
  pagination!: Pagination
}

@Resolver()
export class ListOrdersResolver {
  @Query(() => OrderPage, { nullable: true, description: 'A page of the orders, newest first, by its number.' })
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
