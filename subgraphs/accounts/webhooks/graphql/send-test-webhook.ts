import { Arg, Ctx, ID, InputType, Mutation, Resolver } from 'type-graphql'
import { tenantOf, type SubgraphContext } from '../../../../kernel/subgraph.js'
import { Fields } from '../../../../kernel/subgraph-fields.js'
import { EVENT_TYPES } from '../event-types.js'
import { sendTestWebhook, type SendTestInput, type SendTestWebhookDeps } from '../send-test-webhook.js'
import { WebhookDelivery } from './webhook-delivery.type.js'

@Fields<SendTestInput>('input', {
  type: { type: () => String, description: `Its type: ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}.` },
  publicClientId: {
    type: () => ID,
    nullable: true,
    description: 'Of which integration; the default one where left out.',
  },
  endpointId: { type: () => ID, nullable: true, description: 'Of which webhook endpoint, in place of an integration.' },
})
@InputType({ description: 'A test event.' })
export class SendTestWebhookInput {}

@Resolver()
export class SendTestWebhookResolver {
  @Mutation(() => WebhookDelivery, {
    description:
      "Sends an event that never happened to an integration's address or a webhook endpoint; its `data` says that it is a test.",
  })
  sendTestWebhook(
    @Arg('input', () => SendTestWebhookInput, { description: 'Which event.' }) input: SendTestInput,
    @Ctx() context: SubgraphContext<SendTestWebhookDeps>,
  ): Promise<object> {
    return sendTestWebhook(context.deps, tenantOf(context), input)
  }
}
