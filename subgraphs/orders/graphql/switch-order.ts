import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { OrdersContext } from '../deps.js'
import { switchOrder } from '../domain/switch-order.js'
import type { Order } from '../store/order.entity.js'
import { OrderType } from './order.type.js'

@Resolver()
export class SwitchOrderResolver {
  @Mutation(() => OrderType, { description: 'Lets payments be made from an order; one that is active stays as it is.' })
  activateOrder(
    @Arg('id', () => ID, { description: 'Of the order.' }) id: string,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return switchOrder(context.deps, tenantOf(context), { id, active: true })
  }

  @Mutation(() => OrderType, {
    description: 'Lets no more payments be made from an order; an inactive one stays as it is.',
  })
  deactivateOrder(
    @Arg('id', () => ID, { description: 'Of the order.' }) id: string,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return switchOrder(context.deps, tenantOf(context), { id, active: false })
  }
}
