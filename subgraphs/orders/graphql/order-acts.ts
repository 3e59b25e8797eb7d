import { Arg, Ctx, Directive, Mutation, Resolver } from 'type-graphql'
import { reauthorizedTenantOf } from '../../../kernel/reauthorize.js'
import { readTerms, type GraphTerms } from '../../../terms/graphql/read-terms.js'
import type { OrdersContext } from '../deps.js'
import { createOrder, type CreateOrderInput as CreateOrder } from '../domain/create-order.js'
import { updateOrder, type UpdateOrderInput as UpdateOrder } from '../domain/update-order.js'
import type { Order } from '../store/order.entity.js'
import { OrderId } from './order-id.js'
import { CreateOrderInput, OrderType, UpdateOrderInput } from './order.type.js'

@Resolver()
export class OrderActsResolver {
  @Mutation(() => OrderType, { description: 'Creates a reusable order; an account has at most 20.' })
  createOrder(
    @Arg('input', () => CreateOrderInput, { description: 'The order.' }) input: GraphTerms<CreateOrder>,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return createOrder(context.deps, reauthorizedTenantOf(context, 'createOrder'), readTerms<CreateOrder>(input))
  }

  @Mutation(() => OrderType, {
    description: 'Deletes an order: it is no longer listed, pays nothing, and makes room for another.',
  })
  deleteOrder(@OrderId() id: string, @Ctx() context: OrdersContext): Promise<Order> {
    return context.deps.orders.remove(reauthorizedTenantOf(context, 'deleteOrder'), id)
  }

  @Mutation(() => OrderType, { description: 'Lets payments be made from an order; one that is active stays as it is.' })
  activateOrder(@OrderId() id: string, @Ctx() context: OrdersContext): Promise<Order> {
    return switchOrder(context, 'activateOrder', { id, active: true })
  }

  @Mutation(() => OrderType, {
    description: 'Lets no more payments be made from an order; an inactive one stays as it is.',
  })
  deactivateOrder(@OrderId() id: string, @Ctx() context: OrdersContext): Promise<Order> {
    return switchOrder(context, 'deactivateOrder', { id, active: false })
  }

  // Sent twice, it undoes itself: clients of the graph have the two above.
  @Directive('@inaccessible')
  @Mutation(() => OrderType, { description: 'Switches an order off, or on again: what REST toggles by.' })
  toggleOrder(@OrderId() id: string, @Ctx() context: OrdersContext): Promise<Order> {
    return context.deps.orders.change(reauthorizedTenantOf(context, 'toggleOrder'), id, ({ active }) => ({
      active: !active,
    }))
  }

  @Mutation(() => OrderType, { description: 'Changes an order; the result has to be valid as a whole.' })
  updateOrder(
    @OrderId() id: string,
    @Arg('input', () => UpdateOrderInput, { description: 'What to change.' }) input: GraphTerms<UpdateOrder>,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return updateOrder(context.deps, reauthorizedTenantOf(context, 'updateOrder'), {
      id,
      input: readTerms<UpdateOrder>(input),
    })
  }
}

/** Where it is so already nothing changes, and no event is told: it can be repeated. */
function switchOrder(
  context: OrdersContext,
  field: string,
  { id, active }: { id: string; active: boolean },
): Promise<Order> {
  return context.deps.orders.change(reauthorizedTenantOf(context, field), id, (order) =>
    order.active === active ? undefined : { active },
  )
}
