import { Arg, Ctx, Field, InputType, Mutation, Resolver } from 'type-graphql'
import { Decimal, JsonValue } from '../../../kernel/scalars.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { PaymentMethodsInput, SplitReceiverInput, TenantDataInput } from '../../../terms/graphql/terms.type.js'
import {
  registerPayment,
  type RegisterPaymentInput as Input,
  type RegisterPaymentDeps,
} from '../domain/registration/register-payment.js'
import type { Payment } from '../store/payment.entity.js'
import { GatewayMethodEnum } from './payment.enums.js'
import { PaymentType } from './payment.type.js'

@InputType({ description: 'A financial payment to register.' })
export class RegisterPaymentInput implements Input {
  @Field(() => String, { description: 'Always `api_transaction`.' })
  executorId!: string

  @Field(() => TenantDataInput, { description: 'The integration that it belongs to.' })
  tenantData!: Input['tenantData']

  @Field(() => PaymentMethodsInput, { description: 'How it may be paid; at least one method.' })
  paymentMethodAllowed!: Input['paymentMethodAllowed']

  @Field(() => [SplitReceiverInput], { description: 'Who receives; the percentages sum to exactly 100.' })
  splitPaymentConfig!: Input['splitPaymentConfig']

  @Field(() => GatewayMethodEnum, { description: 'One-time or subscription.' })
  gatewayMethod!: 'direct' | 'subs'

  @Field(() => String, { description: 'The fiat currency, e.g. `BRL`.' })
  fromCurrencySymbol!: string

  @Field(() => Decimal, { description: 'The amount, above 0, with no more decimals than the currency has.' })
  amountFrom!: string

  @Field(() => String, { description: 'The token that the receivers get, e.g. `USDT`.' })
  toCurrencySymbol!: string

  @Field(() => String, { description: 'The chain that the receivers are paid on.' })
  toChain!: string

  @Field(() => Boolean, { description: 'False for payments received by Pix.' })
  onRamp!: boolean

  @Field(() => JsonValue, {
    nullable: true,
    description: "The caller's own data, given back with the payment: at most 16 KB.",
  })
  metadata?: unknown
}

@Resolver()
export class RegisterPaymentResolver {
  @Mutation(() => PaymentType, { description: 'Registers a payment; nothing is charged yet.' })
  registerPayment(
    @Arg('input', () => RegisterPaymentInput, { description: 'The payment.' }) input: RegisterPaymentInput,
    @Ctx() context: SubgraphContext<RegisterPaymentDeps>,
  ): Promise<Payment> {
    return registerPayment(context.deps, tenantOf(context), input)
  }
}
