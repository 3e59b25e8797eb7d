import { Arg, Ctx, Field, InputType, Mutation, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { readTerms, type GraphTerms } from '../../../terms/graphql/read-terms.js'
import {
  registerPayment,
  type RegisterPaymentInput as Input,
  type RegisterPaymentDeps,
} from '../domain/registration/register-payment.js'
import type { Payment } from '../store/payment.entity.js'
import { PAYMENT_TERMS } from './payment.terms.js'
import { SubscriptionConfigInput } from './subscription.inputs.js'
import { PaymentType } from './payment.type.js'

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
  @Mutation(() => PaymentType, { description: 'Registers a payment; nothing is charged yet.' })
  registerPayment(
    @Arg('input', () => RegisterPaymentInput, { description: 'The payment.' }) input: GraphTerms<Input>,
    @Ctx() context: SubgraphContext<RegisterPaymentDeps>,
  ): Promise<Payment> {
    return registerPayment(context.deps, tenantOf(context), readTerms<Input>(input))
  }
}
