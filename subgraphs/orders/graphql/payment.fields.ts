import { Ctx, Directive, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql'
import { DateTime } from '../../../kernel/scalars.js'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { OrdersContext } from '../deps.js'
import type { OrderItem as Item } from '../store/order.entity.js'
import { OrderItem } from './order.type.js'

@Directive('@key(fields: "id")')
@ObjectType({ description: 'A payment: what a tenant asked for, how it is paid, and where it stands.' })
export class Payment {
  @Field(() => ID, { description: 'The id of the payment.' })
  id!: string

  @Directive('@external')
  @Field(() => ID, { nullable: true, description: 'The id of the order it came from.' })
  orderCode?: string | null

  @Directive('@external')
  @Field(() => Int, {
    nullable: true,
    description: "The number of its order's event that left it as it was registered.",
  })
  orderSequence?: number | null

  @Directive('@external')
  @Field(() => DateTime, { description: 'When it was registered.' })
  createdAt!: string
}

@Resolver(() => Payment)
export class PaymentFields {
  @Directive('@requires(fields: "orderCode orderSequence createdAt")')
  @FieldResolver(() => [OrderItem], {
    nullable: true,
    description: 'What is sold, as its order said when it was registered; null where it came from none.',
  })
  async orderItems(
    @Root() { orderCode, orderSequence: sequence = null, createdAt: at }: Payment,
    @Ctx() context: OrdersContext,
  ): Promise<readonly Item[] | null> {
    if (!orderCode) return null
    const order = await context.deps.orderThen(tenantOf(context).id, { id: orderCode, sequence, at })
    return order?.orderItems ?? null
  }
}
