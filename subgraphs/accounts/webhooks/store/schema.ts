import { CreateWebhooks } from './migrations/0001-webhooks.js'
import { TellOfSubscriptions } from './migrations/0002-subscription-events.js'
import { TellOfRefunds } from './migrations/0003-refund-events.js'
import { TellOfTests } from './migrations/0004-test-events.js'
import { KeepAnswers } from './migrations/0030-webhook-answers.js'
import { RegisterEndpoints } from './migrations/0040-registered-endpoints.js'
import { RegisteredEndpointEntity } from './registered-endpoint.entity.js'
import { WebhookAttemptEntity, WebhookDeliveryEntity, WebhookEndpointEntity } from './webhook.entity.js'

/** What webhooks add to the database of accounts. */
export const WEBHOOK_ENTITIES = [
  WebhookDeliveryEntity,
  WebhookAttemptEntity,
  WebhookEndpointEntity,
  RegisteredEndpointEntity,
]
export const WEBHOOK_MIGRATIONS = [
  { name: '0001-webhooks', class: CreateWebhooks },
  { name: '0002-subscription-events', class: TellOfSubscriptions },
  { name: '0003-refund-events', class: TellOfRefunds },
  { name: '0004-test-events', class: TellOfTests },
  { name: '0030-webhook-answers', class: KeepAnswers },
  { name: '0040-registered-endpoints', class: RegisterEndpoints },
]
