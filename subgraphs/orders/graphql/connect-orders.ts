import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Ctx, Info, InputType, Int, Query, Resolver } from 'type-graphql'
import { selectedFields } from '../../../kernel/selected-fields.js'
import { describedConnection } from '../../../kernel/subgraph-connection.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import { GatewayMethodEnum } from '../../../terms/graphql/terms.type.js'
import type { OrdersContext } from '../deps.js'
import { connectOrders, type OrderConnection as Connection } from '../domain/connect-orders.js'
import type { OrderFilter } from '../store/order-reads.js'
import { OrderType } from './order.type.js'

const OrderConnection = describedConnection(
  'Order',
  () => OrderType,
  {
    node: 'The order.',
    edge: 'An order in a connection.',
    edges: 'The orders, newest first.',
    page: 'A page of orders with cursors.',
  },
  { totalCount: { type: () => Int, description: 'How many pass the filter in all: an account has at most 20.' } },
)

@Fields<OrderFilter>('input', {
  gatewayMethod: { type: () => GatewayMethodEnum, nullable: true, description: 'Only orders of this kind.' },
  onRamp: { type: () => Boolean, nullable: true, description: 'Only orders that are, or are not, on-ramps.' },
  active: { type: () => Boolean, nullable: true, description: 'Only orders that are, or are not, active.' },
})
@InputType({ description: 'Which orders to list; what is left out is any.' })
export class OrderFilterInput {}

@Resolver()
export class ConnectOrdersResolver {
  @Query(() => OrderConnection, { nullable: true, description: 'The orders, newest first.' })
  orders(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to continue after.' }) after: string | null,
    @Arg('filter', () => OrderFilterInput, { nullable: true, description: 'Which orders.' })
    filter: OrderFilter | null,
    @Ctx() context: OrdersContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection> {
    const asked = selectedFields(info, [])
    const countsOnly = !asked.has('edges') && !asked.has('pageInfo')
    return connectOrders(context.deps, tenantOf(context), { first, after, filter, countsOnly })
  }
}
