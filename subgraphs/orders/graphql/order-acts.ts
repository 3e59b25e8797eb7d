import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { tenantOf } from '../../../kernel/subgraph.js'
import { readTerms, type GraphTerms } from '../../../terms/graphql/read-terms.js'
import type { OrdersContext } from '../deps.js'
import { createOrder, type CreateOrderInput as CreateOrder } from '../domain/create-order.js'
import { deleteOrder } from '../domain/delete-order.js'
import { switchOrder } from '../domain/switch-order.js'
import { toggleOrder } from '../domain/toggle-order.js'
import { updateOrder, type UpdateOrderInput as UpdateOrder } from '../domain/update-order.js'
import type { Order } from '../store/order.entity.js'
import { CreateOrderInput, OrderType, UpdateOrderInput } from './order.type.js'

@Resolver()
export class OrderActsResolver {
  @Mutation(() => OrderType, { description: 'Creates a reusable order; an account has at most 20.' })
  createOrder(
    @Arg('input', () => CreateOrderInput, { description: 'The order.' }) input: GraphTerms<CreateOrder>,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return createOrder(context.deps, tenantOf(context), readTerms<CreateOrder>(input))
  }

  @Mutation(() => OrderType, {
    description: 'Deletes an order: it is no longer listed, pays nothing, and makes room for another.',
  })
  deleteOrder(
    @Arg('id', () => ID, { description: 'Of the order.' }) id: string,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return deleteOrder(context.deps, tenantOf(context), { id })
  }

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

  @Mutation(() => OrderType, { description: 'Changes an order; the result has to be valid as a whole.' })
  updateOrder(
    @Arg('id', () => ID, { description: 'Of the order.' }) id: string,
    @Arg('input', () => UpdateOrderInput, { description: 'What to change.' }) input: GraphTerms<UpdateOrder>,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return updateOrder(context.deps, tenantOf(context), { id, input: readTerms<UpdateOrder>(input) })
  }
}
