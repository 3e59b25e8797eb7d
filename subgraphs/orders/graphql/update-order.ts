import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { OrdersContext } from '../deps.js'
import { updateOrder, type UpdateOrderInput as Input } from '../domain/update-order.js'
import type { Order } from '../store/order.entity.js'
import { PaymentMethodsInput } from './order.inputs.js'
import { OrderItemPatch, SplitReceiverPatch, SubscriptionConfigPatch } from './order.patches.js'
import { GatewayMethodEnum, OrderType } from './order.type.js'

@InputType({ description: 'What to change of an order; what is left out or null stays as it is.' })
export class UpdateOrderInput implements Input {
  @Field(() => String, { nullable: true, description: 'Who executes it, e.g. `api_transaction`.' })
  executorId?: string

  @Field(() => String, { nullable: true, description: 'The fiat currency, e.g. `BRL`.' })
  fromCurrencySymbol?: string

  @Field(() => Decimal, {
    nullable: true,
    description: 'The amount, above 0, with no more decimals than the currency has.',
  })
  amountFrom?: string

  @Field(() => String, { nullable: true, description: 'The token that the receivers get, e.g. `USDT`.' })
  toCurrencySymbol?: string

  @Field(() => Boolean, { nullable: true, description: 'False for payments received by Pix.' })
  onRamp?: boolean

  @Field(() => GatewayMethodEnum, { nullable: true, description: 'One-time or subscription.' })
  gatewayMethod?: 'direct' | 'subs'

  @Field(() => PaymentMethodsInput, { nullable: true, description: 'Replaces the allowed methods; at least one.' })
  paymentMethodAllowed?: PaymentMethodsInput

  @Field(() => [OrderItemPatch], { nullable: true, description: 'Merged by index with what is sold.' })
  orderItems?: OrderItemPatch[]

  @Field(() => [SplitReceiverPatch], { nullable: true, description: 'Merged by index with the receivers.' })
  splitPaymentConfig?: SplitReceiverPatch[]

  @Field(() => SubscriptionConfigPatch, { nullable: true, description: "Merged with the subscription's terms." })
  subscriptionPaymentConfig?: SubscriptionConfigPatch
}

@Resolver()
export class UpdateOrderResolver {
  @Mutation(() => OrderType, { description: 'Changes an order; the result has to be valid as a whole.' })
  updateOrder(
    @Arg('id', () => ID, { description: 'Of the order.' }) id: string,
    @Arg('input', () => UpdateOrderInput, { description: 'What to change.' }) input: UpdateOrderInput,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return updateOrder(context.deps, tenantOf(context), { id, input })
  }
}
