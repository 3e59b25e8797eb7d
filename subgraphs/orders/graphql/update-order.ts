import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { tenantOf } from '../../../kernel/subgraph.js'
import { readTerms, type GraphTerms } from '../../../terms/graphql/read-terms.js'
import type { OrdersContext } from '../deps.js'
import { updateOrder, type UpdateOrderInput as Input } from '../domain/update-order.js'
import type { Order } from '../store/order.entity.js'
import { OrderType, UpdateOrderInput } from './order.type.js'

@Resolver()
export class UpdateOrderResolver {
  @Mutation(() => OrderType, { description: 'Changes an order; the result has to be valid as a whole.' })
  updateOrder(
    @Arg('id', () => ID, { description: 'Of the order.' }) id: string,
    @Arg('input', () => UpdateOrderInput, { description: 'What to change.' }) input: GraphTerms<Input>,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return updateOrder(context.deps, tenantOf(context), { id, input: readTerms<Input>(input) })
  }
}
