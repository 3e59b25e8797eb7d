import { createWebhooks } from './migrations/0001-webhooks.js'
import { tellOfSubscriptions } from './migrations/0002-subscription-events.js'
import { tellOfRefunds } from './migrations/0003-refund-events.js'
import { tellOfTests } from './migrations/0004-test-events.js'
import { keepAnswers } from './migrations/0030-webhook-answers.js'
import { registerEndpoints } from './migrations/0040-registered-endpoints.js'
import { keepOldestEndpointSecrets } from './migrations/0041-oldest-endpoint-secrets.js'
import { boundReplays } from './migrations/0103-replay-bounds.js'
import { sealAnswers } from './migrations/0104-sealed-answers.js'
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
  { name: '0001-webhooks', statements: createWebhooks },
  { name: '0002-subscription-events', statements: tellOfSubscriptions },
  { name: '0003-refund-events', statements: tellOfRefunds },
  { name: '0004-test-events', statements: tellOfTests },
  { name: '0030-webhook-answers', statements: keepAnswers },
  { name: '0040-registered-endpoints', statements: registerEndpoints },
  { name: '0041-oldest-endpoint-secrets', statements: keepOldestEndpointSecrets },
  { name: '0103-replay-bounds', statements: boundReplays },
  { name: '0104-sealed-answers', statements: sealAnswers },
]
