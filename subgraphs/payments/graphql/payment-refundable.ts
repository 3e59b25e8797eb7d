import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import { refundableAmount } from '../model/refund-rules.js'
import { chargeRailOf, type Rails } from '../rails/find-rail.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import { PaymentType } from './payment.type.js'

@Resolver(() => PaymentType)
export class PaymentRefundableField {
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      'What of the money that paid it can still be refunded, in `refundedCurrency`: neither refunded, nor on its way back, nor gone by a dispute. Null where no provider has been paid for it.',
  })
  async refundableAmount(
    @Root() { tenantId, id }: Payment,
    @Ctx() { deps }: SubgraphContext<Rails & Pick<RequestLoaders, 'acceptedOfPayment'>>,
  ): Promise<string | null> {
    const accepted = await deps.acceptedOfPayment(tenantId, id)
    if (!accepted || !chargeRailOf(deps, accepted.rail)) return null
    return refundableAmount(accepted, accepted.refunds)
  }
}
