import { ReplayWebhookDeliveryResolver } from './replay-webhook-delivery.js'
import { SendTestWebhookResolver } from './send-test-webhook.js'
import { WebhookAttemptResolver, WebhookDeliveriesResolver } from './webhook-deliveries.js'
import { WebhookEndpointsResolver } from './webhook-endpoints.js'

/** What webhooks add to the schema of accounts. Their context is that of accounts, or a part of it. */
export const webhookResolvers = [
  WebhookDeliveriesResolver,
  WebhookAttemptResolver,
  ReplayWebhookDeliveryResolver,
  SendTestWebhookResolver,
  WebhookEndpointsResolver,
] as const
