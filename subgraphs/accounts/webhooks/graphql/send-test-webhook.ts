import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql'
import { tenantOf, type SubgraphContext } from '../../../../kernel/subgraph.js'
import { EVENT_TYPES } from '../event-types.js'
import { sendTestWebhook, type SendTestWebhookDeps } from '../send-test-webhook.js'
import { WebhookDelivery } from './webhook-delivery.type.js'

@InputType({ description: 'A test event.' })
export class SendTestWebhookInput {
  @Field(() => String, { description: `Its type: ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}.` })
  type!: string
  @Field(() => ID, { nullable: true, description: 'Of which integration; the default one where left out.' })
  publicClientId?: string | null
  @Field(() => ID, { nullable: true, description: 'Of which webhook endpoint, in place of an integration.' })
  endpointId?: string | null
}

@Resolver()
export class SendTestWebhookResolver {
  @Mutation(() => WebhookDelivery, {
    description:
      "Sends an event that never happened to an integration's address or a webhook endpoint; its `data` says that it is a test.",
  })
  sendTestWebhook(
    @Arg('input', () => SendTestWebhookInput, { description: 'Which event.' }) input: SendTestWebhookInput,
    @Ctx() context: SubgraphContext<SendTestWebhookDeps>,
  ): Promise<object> {
    return sendTestWebhook(context.deps, tenantOf(context), input)
  }
}
