import { Ctx, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import { subscriptionTermsOf, type SubscriptionTerms } from '../model/subscription-terms.js'
import { PaymentType } from './payment.type.js'
import { SubscriptionIntervalEnum } from './subscription.type.js'

@Fields<SubscriptionTerms>('answer', {
  planName: { type: () => String, description: 'What the plan is called.' },
  interval: { type: () => SubscriptionIntervalEnum, description: 'The time between two payments.' },
  amountFrom: {
    type: () => Decimal,
    description: 'What each of the next periods costs, in the currency of the payment.',
  },
  charge: { type: () => Boolean, description: 'Whether a card that has paid is charged by itself each time.' },
  isFirst: { type: () => Boolean, description: 'Whether it is the first payment.' },
  trialEndsAt: {
    type: () => DateTime,
    nullable: true,
    description: 'When the trial ends that this payment follows; null where it follows none.',
  },
})
@ObjectType('PaymentSubscriptionTerms', { description: 'What a payer agrees to who pays a payment of a subscription.' })
class SubscriptionTermsType {}

@Resolver(() => PaymentType)
export class SubscriptionTermsField {
  @FieldResolver(() => SubscriptionTermsType, {
    nullable: true,
    description:
      'The terms of the subscription that it begins, before it is paid too, or whose period it pays. Null where it is of none, or of one that has ended.',
  })
  async subscriptionTerms(
    @Root() payment: Payment,
    @Ctx() { deps }: SubgraphContext<Pick<RequestLoaders, 'subscriptionOfPayment'>>,
  ): Promise<SubscriptionTerms | null> {
    if (payment.gatewayMethod !== 'subs') return null
    return subscriptionTermsOf(payment, await deps.subscriptionOfPayment(payment.tenantId, payment.id))
  }
}
