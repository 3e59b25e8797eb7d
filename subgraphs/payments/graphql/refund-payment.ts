import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { refundPayment, type RefundPaymentDeps } from '../domain/refunds/refund-payment.js'
import type { PaymentRefund } from '../model/refund.js'
import { RefundPaymentInput, RefundType } from './refund.type.js'

@Resolver()
export class RefundPaymentResolver {
  @Mutation(() => RefundType, {
    description:
      'Refunds a payment that was charged by Pix or card, or a part of it. It is pending until the provider says more.',
  })
  refundPayment(
    @Arg('id', () => ID, { description: 'The payment.' }) id: string,
    @Arg('input', () => RefundPaymentInput, { nullable: true, description: 'How much, and why.' })
    input: RefundPaymentInput | null,
    @Ctx() context: SubgraphContext<RefundPaymentDeps>,
  ): Promise<PaymentRefund> {
    return refundPayment(context.deps, tenantOf(context), { ...input, id })
  }
}
