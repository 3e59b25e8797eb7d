import { Ctx, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import { readPayerCharge, type PayerCharge, type PayerChargeDeps } from '../domain/charges/payer-charge.js'
import type { Payment } from '../store/payment.entity.js'
import { PaymentType } from './payment.type.js'

@Fields<PayerCharge>('answer', {
  amount: { type: () => Decimal, description: 'How much.' },
  currency: { type: () => String, description: 'The currency of the provider, e.g. `BRL`.' },
  isEstimate: {
    type: () => Boolean,
    description: 'Whether it is by the price of now: the charge fixes the sum when it is made.',
  },
})
@ObjectType('PayerCharge', { description: 'What a payer is charged by Pix or card.' })
class PayerChargeType {}

@Resolver(() => PaymentType)
export class PayerChargeField {
  @FieldResolver(() => PayerChargeType, {
    nullable: true,
    description:
      'What its payer is charged by Pix or card, whatever currency the price is in: of the charge that waits or was paid, and before that by the price of now. Null where no provider is to charge him, and while there is no price.',
  })
  payerCharge(
    @Root() payment: Payment,
    @Ctx() { deps }: SubgraphContext<PayerChargeDeps>,
  ): Promise<PayerCharge | null> {
    return readPayerCharge(deps, payment)
  }
}
