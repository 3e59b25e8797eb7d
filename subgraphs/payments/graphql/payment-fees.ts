import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql'
import { Decimal } from '../../../kernel/scalars.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import { PaymentType } from './payment.type.js'

@ObjectType({
  description: 'What is taken of the money that a payment is charged; the receivers get the rest of it.',
})
export class PaymentFees {
  @Field(() => String, { description: 'The currency that the payer is charged.' })
  currency!: string

  @Field(() => Decimal, { description: 'The fee of the platform.' })
  platform!: string

  @Field(() => Decimal, { description: 'What the platform takes by a rate below the market.' })
  spread!: string

  @Field(() => Decimal, {
    nullable: true,
    description: 'What the provider took, by its own figures: the platform bears it. Null where it has not said.',
  })
  provider!: string | null
}

@Resolver(() => PaymentType)
export class PaymentFeesField {
  @FieldResolver(() => PaymentFees, {
    nullable: true,
    description: 'What is taken of what its payer pays; null where no provider charges the payer.',
  })
  async fees(
    @Root() { tenantId, chargeId, quoteId }: Payment,
    @Ctx() { deps }: SubgraphContext<RequestLoaders>,
  ): Promise<PaymentFees | null> {
    if (chargeId == null) return null
    const [charge, quote, provider] = await Promise.all([
      deps.chargeById(tenantId, chargeId),
      quoteId == null ? undefined : deps.quoteById(tenantId, quoteId),
      deps.providerFeeOfCharge(tenantId, chargeId),
    ])
    if (!charge) return null
    const { feeAmount: platform = charge.platformFee ?? '0', spreadAmount: spread = '0' } = quote ?? {}
    return { currency: charge.currency, platform, spread, provider }
  }
}
