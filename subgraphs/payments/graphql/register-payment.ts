import { Arg, Ctx, Directive, Field, ID, InputType, Mutation, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { readTerms, type GraphTerms } from '../../../terms/graphql/read-terms.js'
import {
  registerCheckoutPayment,
  type RegisterCheckoutPaymentDeps,
  type RegisterCheckoutPaymentInput as CheckoutInput,
} from '../domain/registration/register-checkout-payment.js'
import {
  registerPayment,
  type RegisterPaymentDeps,
  type RegisterPaymentInput as Input,
} from '../domain/registration/register-payment.js'
import type { Payment } from '../store/payment.entity.js'
import { PAYMENT_TERMS } from './payment.terms.js'
import { SubscriptionConfigInput } from './subscription.inputs.js'
import { PaymentType } from './payment.type.js'

@Fields('patch', PAYMENT_TERMS)
@InputType({ description: 'A payment to register from an order. Only the order is needed: it says the rest.' })
export class RegisterCheckoutPaymentInput {
  @Field(() => ID, { description: 'The id of the order.' })
  orderCode!: string

  @Directive('@inaccessible')
  @Field(() => SubscriptionConfigInput, { nullable: true, description: "Checked, then ignored: the order's count." })
  subscriptionPaymentConfig?: GraphTerms<CheckoutInput>['subscriptionPaymentConfig']
}

@Fields('input', PAYMENT_TERMS)
@InputType({ description: 'A financial payment to register.' })
export class RegisterPaymentInput {
  @Field(() => SubscriptionConfigInput, {
    nullable: true,
    description: 'How it continues once it is paid; needed for SUBS.',
  })
  subscriptionPaymentConfig?: GraphTerms<Input>['subscriptionPaymentConfig']
}

@Resolver()
export class RegisterPaymentResolver {
  @Mutation(() => PaymentType, { description: 'Registers a payment from an order.' })
  registerCheckoutPayment(
    @Arg('input', () => RegisterCheckoutPaymentInput, { description: 'From which order.' })
    input: GraphTerms<CheckoutInput>,
    @Ctx() context: SubgraphContext<RegisterCheckoutPaymentDeps>,
  ): Promise<Payment> {
    return registerCheckoutPayment(context.deps, tenantOf(context), readTerms<CheckoutInput>(input))
  }

  @Mutation(() => PaymentType, { description: 'Registers a payment; nothing is charged yet.' })
  registerPayment(
    @Arg('input', () => RegisterPaymentInput, { description: 'The payment.' }) input: GraphTerms<Input>,
    @Ctx() context: SubgraphContext<RegisterPaymentDeps>,
  ): Promise<Payment> {
    return registerPayment(context.deps, tenantOf(context), readTerms<Input>(input))
  }
}
