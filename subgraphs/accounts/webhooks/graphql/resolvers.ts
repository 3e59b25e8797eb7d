import { ReplayWebhookDeliveryResolver } from './replay-webhook-delivery.js'
import { WebhookDeliveriesResolver } from './webhook-deliveries.js'

/** What webhooks add to the schema of accounts. Their context is `WebhookContext`. */
export const webhookResolvers = [WebhookDeliveriesResolver, ReplayWebhookDeliveryResolver] as const
