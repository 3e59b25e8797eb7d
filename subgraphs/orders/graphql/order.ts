import { Arg, Ctx, Directive, ID, Int, Query, Resolver } from 'type-graphql'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { OrdersContext } from '../deps.js'
import { findOrder, findOrderAt } from '../domain/find-order.js'
import type { Order } from '../store/order.entity.js'
import { OrderId } from './order-id.js'
import { OrderType } from './order.type.js'

@Resolver()
export class OrderResolver {
  @Query(() => OrderType, { nullable: true, description: 'An order by its id.' })
  order(@OrderId() id: string, @Ctx() context: OrdersContext): Promise<Order> {
    return findOrder(context.deps, tenantOf(context), { id })
  }

  @Directive('@inaccessible')
  @Query(() => OrderType, { nullable: true, description: 'What a checkout takes from an order, active or not.' })
  orderTemplate(@Arg('id', () => ID) id: string, @Ctx() context: OrdersContext): Promise<Order> {
    return findOrder(context.deps, tenantOf(context), { id })
  }

  @Directive('@inaccessible')
  @Query(() => [ID], { description: 'Those of some ids that are of orders.' })
  async existingOrders(@Arg('ids', () => [ID]) ids: string[], @Ctx() context: OrdersContext): Promise<string[]> {
    const tenant = tenantOf(context)
    const orders = await Promise.all(ids.map((id) => context.deps.orderById(tenant.id, id)))
    return orders.flatMap((order) => order?.id ?? [])
  }

  @Directive('@inaccessible')
  @Query(() => OrderType, { nullable: true, description: 'An order as it was after one of its events.' })
  orderAt(
    @Arg('id', () => ID) id: string,
    @Arg('sequence', () => Int) sequence: number,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return findOrderAt(context.deps, tenantOf(context), { id, sequence })
  }
}
