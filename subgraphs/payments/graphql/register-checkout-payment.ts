import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql'
import { Decimal, JsonValue } from '../../../kernel/scalars.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { PaymentMethodsInput, SplitReceiverInput, TenantDataInput } from '../../../terms/graphql/terms.type.js'
import {
  registerCheckoutPayment,
  type RegisterCheckoutPaymentInput as Input,
  type RegisterCheckoutPaymentDeps,
} from '../domain/registration/register-checkout-payment.js'
import type { Payment } from '../store/payment.entity.js'
import { GatewayMethodEnum } from './payment.enums.js'
import { PaymentType } from './payment.type.js'

@InputType({ description: 'A payment to register from an order. Only the order is needed: it says the rest.' })
export class RegisterCheckoutPaymentInput implements Input {
  @Field(() => ID, { description: 'The id of the order.' })
  orderCode!: string

  @Field(() => String, { nullable: true, description: 'Ignored: it is always `order_transaction`.' })
  executorId?: string

  @Field(() => TenantDataInput, { nullable: true, description: "By default the order's, then the tenant's." })
  tenantData?: NonNullable<Input['tenantData']>

  @Field(() => PaymentMethodsInput, { nullable: true, description: "Checked, then ignored: the order's count." })
  paymentMethodAllowed?: Input['paymentMethodAllowed']

  @Field(() => [SplitReceiverInput], { nullable: true, description: "Checked, then ignored: the order's count." })
  splitPaymentConfig?: Input['splitPaymentConfig']

  @Field(() => GatewayMethodEnum, { nullable: true, description: "Ignored: the order's counts." })
  gatewayMethod?: 'direct' | 'subs'

  @Field(() => String, { nullable: true, description: "Checked, then ignored: the order's counts." })
  fromCurrencySymbol?: string

  @Field(() => Decimal, { nullable: true, description: "Checked, then ignored: the order's counts." })
  amountFrom?: string

  @Field(() => String, { nullable: true, description: "Checked, then ignored: the order's counts." })
  toCurrencySymbol?: string

  @Field(() => String, { nullable: true, description: "Checked, then ignored: the order's counts." })
  toChain?: string

  @Field(() => Boolean, { nullable: true, description: "Checked, then ignored: the order's counts." })
  onRamp?: boolean

  @Field(() => JsonValue, {
    nullable: true,
    description: "The caller's own data, given back with the payment: at most 16 KB.",
  })
  metadata?: unknown
}

@Resolver()
export class RegisterCheckoutPaymentResolver {
  @Mutation(() => PaymentType, { description: 'Registers a payment from an order.' })
  registerCheckoutPayment(
    @Arg('input', () => RegisterCheckoutPaymentInput, { description: 'From which order.' })
    input: RegisterCheckoutPaymentInput,
    @Ctx() context: SubgraphContext<RegisterCheckoutPaymentDeps>,
  ): Promise<Payment> {
    return registerCheckoutPayment(context.deps, tenantOf(context), input)
  }
}
