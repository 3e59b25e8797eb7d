import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { tenantOf } from '../../../../kernel/subgraph.js'
import type { WebhookContext } from '../deps.js'
import { replayDelivery } from '../replay-delivery.js'
import { WebhookDelivery } from './webhook-delivery.type.js'

@Resolver()
export class ReplayWebhookDeliveryResolver {
  @Mutation(() => WebhookDelivery, { description: 'Sends a webhook delivery again, now, under the same id.' })
  replayWebhookDelivery(
    @Arg('id', () => ID, { description: 'Of the delivery.' }) id: string,
    @Ctx() context: WebhookContext,
  ): Promise<object> {
    return replayDelivery(context.deps, tenantOf(context), { deliveryId: id })
  }
}
