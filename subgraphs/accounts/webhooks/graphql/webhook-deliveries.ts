import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql'
import { JsonValue } from '../../../../kernel/scalars.js'
import { tenantOf } from '../../../../kernel/subgraph.js'
import type { WebhookContext } from '../deps.js'
import { findDelivery, listDeliveries } from '../find-deliveries.js'
import type { DeliveryRecord } from '../store/webhook-deliveries.js'
import type { DeliveryState } from '../store/webhook.entity.js'
import { WebhookDelivery, WebhookDeliveryConnection, WebhookDeliveryStateEnum } from './webhook-delivery.type.js'

@Resolver(() => WebhookDelivery)
export class WebhookDeliveriesResolver {
  @Query(() => WebhookDelivery, { nullable: true, description: 'A webhook delivery by its id.' })
  webhookDelivery(@Arg('id', () => ID) id: string, @Ctx() context: WebhookContext): Promise<object> {
    return findDelivery(context.deps, tenantOf(context), { deliveryId: id })
  }

  @Query(() => WebhookDeliveryConnection, { nullable: true, description: 'The webhook deliveries, newest first.' })
  async webhookDeliveries(
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many, at most 100.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'The cursor after which they begin.' })
    after: string | null,
    @Arg('resourceId', () => ID, {
      nullable: true,
      description: 'Only those of this payment, order, subscription or verification.',
    })
    resourceId: string | null,
    @Arg('state', () => WebhookDeliveryStateEnum, { nullable: true, description: 'Only those that stand there.' })
    state: DeliveryState | null,
    @Ctx() context: WebhookContext,
  ): Promise<object> {
    const input = { first, after, resourceId, state }
    const { deliveries, hasMore } = await listDeliveries(context.deps, tenantOf(context), input)
    return {
      edges: deliveries.map((node) => ({ cursor: node.id, node })),
      pageInfo: {
        hasNextPage: hasMore,
        hasPreviousPage: typeof after === 'string',
        startCursor: deliveries[0]?.id ?? null,
        endCursor: deliveries.at(-1)?.id ?? null,
      },
    }
  }

  @FieldResolver(() => JsonValue)
  body(@Root() delivery: DeliveryRecord): unknown {
    return JSON.parse(delivery.body)
  }
}
