import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { findPayment, type FindPaymentDeps } from '../domain/find-payment.js'
import type { Payment } from '../store/payment.entity.js'
import { PaymentType } from './payment.type.js'

@Resolver()
export class PaymentResolver {
  @Query(() => PaymentType, { nullable: true, description: 'A payment by its id.' })
  payment(
    @Arg('id', () => ID, { description: 'Of the payment.' }) id: string,
    @Ctx() context: SubgraphContext<FindPaymentDeps>,
  ): Promise<Payment> {
    return findPayment(context.deps, tenantOf(context), { id })
  }
}
