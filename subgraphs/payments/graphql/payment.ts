import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { PaymentsContext } from '../deps.js'
import { findPayment } from '../domain/find-payment.js'
import type { Payment } from '../store/payment.entity.js'
import { PaymentType } from './payment.type.js'

@Resolver()
export class PaymentResolver {
  @Query(() => PaymentType, { nullable: true, description: 'A payment by its id.' })
  payment(
    @Arg('id', () => ID, { description: 'Of the payment.' }) id: string,
    @Ctx() context: PaymentsContext,
  ): Promise<Payment> {
    return findPayment(context.deps, tenantOf(context), { id })
  }
}
