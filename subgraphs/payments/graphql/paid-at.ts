import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { DateTime } from '../../../kernel/scalars.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import { paidAtOf } from '../model/paid-at.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import { HISTORY_PAGE_MAX } from '../store/payments.js'
import { PaymentType } from './payment.type.js'

@Resolver(() => PaymentType)
export class PaidAtField {
  @FieldResolver(() => DateTime, {
    nullable: true,
    description: 'When its payer had paid it, whatever has changed since; null while he has not.',
  })
  paidAt(
    @Root() payment: Payment,
    @Ctx() { deps }: SubgraphContext<Pick<RequestLoaders, 'historyById'>>,
  ): Promise<Date | null> {
    const page = { first: HISTORY_PAGE_MAX, after: 0 }
    return paidAtOf(payment, () => deps.historyById(payment.tenantId, payment.id, page))
  }
}
