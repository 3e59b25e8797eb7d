import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import type { PaymentsContext } from '../deps.js'
import type { Payment } from '../store/payment.entity.js'
import { Order, PaymentType } from './payment.type.js'

@Resolver(() => PaymentType)
export class PaymentFields {
  @FieldResolver(() => String)
  sessionPayment(@Root() payment: Payment, @Ctx() context: PaymentsContext): string {
    return context.deps.sessionLink(payment)
  }

  @FieldResolver(() => Order, { nullable: true, description: 'The order it was registered from.' })
  order(@Root() payment: Payment): Order | null {
    return payment.orderCode ? { id: payment.orderCode } : null
  }
}
