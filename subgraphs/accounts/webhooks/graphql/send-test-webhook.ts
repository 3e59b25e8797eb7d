import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql'
import { validationError } from '../../../../kernel/errors.js'
import { tenantOf, type SubgraphContext } from '../../../../kernel/subgraph.js'
import { EVENT_TYPES, type EventType } from '../event-types.js'
import { sendTestWebhook, type SendTestWebhookDeps } from '../send-test-webhook.js'
import { WebhookEventEnum } from './event-kind.enum.js'
import { WebhookDelivery } from './webhook-delivery.type.js'

@InputType({ description: 'A test event.' })
export class SendTestWebhookInput {
  @Field(() => String, {
    nullable: true,
    description: `Its type: ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
    deprecationReason: 'A closed set is an enum: use `event`. It stays for as long as REST takes it.',
  })
  type?: string | null
  @Field(() => WebhookEventEnum, { nullable: true, description: 'Its type.' })
  event?: EventType | null
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
    return sendTestWebhook(context.deps, tenantOf(context), { ...input, type: typeOf(input) })
  }
}

/** The type that an input names in one of its two ways. @throws validation_error on `event` */
function typeOf({ type, event }: SendTestWebhookInput): string {
  if (event == null && type == null) throw validationError([{ field: 'event', message: 'is required' }])
  if (event != null && type != null) {
    throw validationError([{ field: 'event', message: 'must be left out where a type is given' }])
  }
  return event ?? type ?? ''
}
