import { Arg, Ctx, Field, InputType, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { PageInfoType } from '../../../kernel/page-info.type.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import { GatewayMethodEnum } from '../../../terms/graphql/terms.type.js'
import type { OrdersContext } from '../deps.js'
import { connectOrders, type OrderConnection as Connection } from '../domain/connect-orders.js'
import type { OrderFilter } from '../store/order-reads.js'
import { OrderType } from './order.type.js'

@Fields('answer', {
  cursor: { type: () => String, description: 'Its position in the list.' },
  node: { type: () => OrderType, description: 'The order.' },
})
@ObjectType({ description: 'An order in a connection.' })
export class OrderEdge {}

@Fields('answer', {
  edges: { type: () => [OrderEdge], description: 'The orders, newest first.' },
  pageInfo: { type: () => PageInfoType, description: 'Where the page stands.' },
  totalCount: { type: () => Int, description: 'How many pass the filter in all.' },
})
@ObjectType({ description: 'A page of orders with cursors.' })
export class OrderConnection {}

@InputType({ description: 'Which orders to list; what is left out is any.' })
export class OrderFilterInput implements OrderFilter {
  @Field(() => GatewayMethodEnum, { nullable: true, description: 'Only orders of this kind.' })
  gatewayMethod?: 'direct' | 'subs'

  @Field(() => Boolean, { nullable: true, description: 'Only orders that are, or are not, on-ramps.' })
  onRamp?: boolean

  @Field(() => Boolean, { nullable: true, description: 'Only orders that are, or are not, active.' })
  active?: boolean
}

@Resolver()
export class ConnectOrdersResolver {
  @Query(() => OrderConnection, { nullable: true, description: 'The orders, newest first.' })
  orders(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to continue after.' }) after: string | null,
    @Arg('filter', () => OrderFilterInput, { nullable: true, description: 'Which orders.' })
    filter: OrderFilterInput | null,
    @Ctx() context: OrdersContext,
  ): Promise<Connection> {
    return connectOrders(context.deps, tenantOf(context), { first, after, filter })
  }
}
