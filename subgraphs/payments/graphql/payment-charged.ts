import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import { PaymentType } from './payment.type.js'

type ChargedDeps = Pick<RequestLoaders, 'chargeById'>

@Resolver(() => PaymentType)
export class PaymentChargedFields {
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      'What its payer is charged by a provider, in `chargedCurrency`: of a price in dollars the reais that a Pix or a card is charged. Null where none is to charge him.',
  })
  async chargedAmount(
    @Root() { tenantId, chargeId }: Payment,
    @Ctx() { deps }: SubgraphContext<ChargedDeps>,
  ): Promise<string | null> {
    return chargeId == null ? null : ((await deps.chargeById(tenantId, chargeId))?.amount ?? null)
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The currency of `chargedAmount`, e.g. `BRL`; null where that is.',
  })
  async chargedCurrency(
    @Root() { tenantId, chargeId }: Payment,
    @Ctx() { deps }: SubgraphContext<ChargedDeps>,
  ): Promise<string | null> {
    return chargeId == null ? null : ((await deps.chargeById(tenantId, chargeId))?.currency ?? null)
  }
}
