import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import { tenantOf } from '../../../kernel/subgraph.js'
import { readTerms, type GraphTerms } from '../../../terms/graphql/read-terms.js'
import type { OrdersContext } from '../deps.js'
import { createOrder, type CreateOrderInput as Input } from '../domain/create-order.js'
import type { Order } from '../store/order.entity.js'
import { CreateOrderInput, OrderType } from './order.type.js'

@Resolver()
export class CreateOrderResolver {
  @Mutation(() => OrderType, { description: 'Creates a reusable order; an account has at most 20.' })
  createOrder(
    @Arg('input', () => CreateOrderInput, { description: 'The order.' }) input: GraphTerms<Input>,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return createOrder(context.deps, tenantOf(context), readTerms<Input>(input))
  }
}
