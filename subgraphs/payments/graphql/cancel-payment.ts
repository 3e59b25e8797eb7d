import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { cancelPayment, type CancelPaymentDeps } from '../domain/cancel-payment.js'
import type { Payment } from '../store/payment.entity.js'
import { PaymentType } from './payment.type.js'

@Resolver()
export class CancelPaymentResolver {
  @Mutation(() => PaymentType, {
    description:
      'Cancels an unpaid payment for good: a charge that its payer could pay is removed at the provider first.',
  })
  cancelPayment(
    @Arg('id', () => ID, { description: 'The payment.' }) id: string,
    @Ctx() context: SubgraphContext<CancelPaymentDeps>,
  ): Promise<Payment> {
    return cancelPayment(context.deps, tenantOf(context), { id })
  }
}
