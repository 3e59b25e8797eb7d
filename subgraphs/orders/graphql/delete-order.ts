import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { OrdersContext } from '../deps.js'
import { deleteOrder } from '../domain/delete-order.js'
import type { Order } from '../store/order.entity.js'
import { OrderType } from './order.type.js'

@Resolver()
export class DeleteOrderResolver {
  @Mutation(() => OrderType, {
    description: 'Deletes an order: it is no longer listed, pays nothing, and makes room for another.',
  })
  deleteOrder(
    @Arg('id', () => ID, { description: 'Of the order.' }) id: string,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return deleteOrder(context.deps, tenantOf(context), { id })
  }
}
