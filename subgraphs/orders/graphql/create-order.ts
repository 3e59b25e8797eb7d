import { Arg, Ctx, Field, InputType, Mutation, Resolver } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { OrdersContext } from '../deps.js'
import { createOrder, type CreateOrderInput as Input } from '../domain/create-order.js'
import type { Order } from '../store/order.entity.js'
import {
  OrderItemInput,
  PaymentMethodsInput,
  SplitReceiverInput,
  SubscriptionConfigInput,
  TenantDataInput,
} from './order.inputs.js'
import { GatewayMethodEnum, OrderType } from './order.type.js'

@InputType({ description: 'A checkout order to create.' })
export class CreateOrderInput implements Input {
  @Field(() => String, { description: 'Who executes it, e.g. `api_transaction`.' })
  executorId!: string

  @Field(() => String, { description: 'The fiat currency, e.g. `BRL`.' })
  fromCurrencySymbol!: string

  @Field(() => Decimal, { description: 'The amount, above 0, with no more decimals than the currency has.' })
  amountFrom!: string

  @Field(() => String, { description: 'The token that the receivers get, e.g. `USDT`.' })
  toCurrencySymbol!: string

  @Field(() => String, { nullable: true, description: 'The chain that the receivers are paid on.' })
  toChain?: string

  @Field(() => Boolean, { description: 'False for payments received by Pix.' })
  onRamp!: boolean

  @Field(() => GatewayMethodEnum, { description: 'One-time or subscription.' })
  gatewayMethod!: 'direct' | 'subs'

  @Field(() => PaymentMethodsInput, {
    nullable: true,
    description: 'How it may be paid; at least one method. Left out: every method whose product is enabled.',
  })
  paymentMethodAllowed?: PaymentMethodsInput

  @Field(() => [OrderItemInput], { nullable: true, description: 'What is sold.' })
  orderItems?: OrderItemInput[]

  @Field(() => [SplitReceiverInput], {
    nullable: true,
    description: 'Who receives; the percentages sum to exactly 100.',
  })
  splitPaymentConfig?: SplitReceiverInput[]

  @Field(() => SubscriptionConfigInput, { nullable: true, description: 'Required for a subscription.' })
  subscriptionPaymentConfig?: SubscriptionConfigInput

  @Field(() => TenantDataInput, { nullable: true, description: 'The integration of payments that name none.' })
  tenantData?: TenantDataInput
}

@Resolver()
export class CreateOrderResolver {
  @Mutation(() => OrderType, { description: 'Creates a reusable order; an account has at most 20.' })
  createOrder(
    @Arg('input', () => CreateOrderInput, { description: 'The order.' }) input: CreateOrderInput,
    @Ctx() context: OrdersContext,
  ): Promise<Order> {
    return createOrder(context.deps, tenantOf(context), input)
  }
}
