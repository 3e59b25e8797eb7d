import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { OrdersContext } from '../deps.js'
import { toggleOrder } from '../domain/toggle-order.js'
import type { Order } from '../store/order.entity.js'
import { OrderType } from './order.type.js'

@Resolver()
export class ToggleOrderResolver {
  @Mutation(() => OrderType, {
    description: 'Switches an order off, or on again.',
    deprecationReason:
      'Sent twice, it undoes itself: use `activateOrder` or `deactivateOrder`. It stays for as long as REST toggles.',
  })
  toggleOrder(
    @Arg('id', () => ID, { description: 'Of the order.' }) id: string,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return toggleOrder(context.deps, tenantOf(context), { id })
  }
}
