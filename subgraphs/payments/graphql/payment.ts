import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql'
import { isId } from '../../../kernel/ids.js'
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

  @Query(() => PaymentType, {
    nullable: true,
    description:
      'A payment as it was after one of its events; null where tenants are not told of that one, but to a person at the console.',
  })
  async paymentAt(
    @Arg('id', () => ID, { description: 'Of the payment.' }) id: string,
    @Arg('sequence', () => Int, { description: 'Of the event, as webhooks and streams tell it.' }) sequence: number,
    @Ctx() context: SubgraphContext<FindPaymentDeps>,
  ): Promise<Payment | null> {
    const { payments } = context.deps
    const { id: tenantId } = tenantOf(context)
    if (!isId(id) || sequence < 1) return null
    const [event] = await payments.history(tenantId, id, { first: 1, after: sequence - 1 })
    const isShown = event?.notify === true || context.caller.person !== undefined
    return event?.sequence === sequence && isShown ? ((await payments.findAt(tenantId, id, sequence)) ?? null) : null
  }
}
