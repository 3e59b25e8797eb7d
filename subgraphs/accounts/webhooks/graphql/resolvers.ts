import { ReplayWebhookDeliveryResolver } from './replay-webhook-delivery.js'
import { SendTestWebhookResolver } from './send-test-webhook.js'
import { WebhookDeliveriesResolver } from './webhook-deliveries.js'

/** What webhooks add to the schema of accounts. Their context is `WebhookContext`. */
export const webhookResolvers = [
  WebhookDeliveriesResolver,
  ReplayWebhookDeliveryResolver,
  SendTestWebhookResolver,
] as const
