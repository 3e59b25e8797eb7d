import type { Route } from './route.js'

/** The rows of what tenants are told. */
export const WEBHOOK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/webhook/deliveries',
    summary: 'The webhook deliveries with their attempts, newest first, page by page.',
    operation: 'list-webhook-deliveries',
    subgraph: 'accounts',
    reply: { http: 200, status: 'webhook_deliveries_listed', message: 'Webhook deliveries listed.' },
    errors: ['customer_not_logged', 'validation_error'],
  },
  {
    method: 'POST',
    path: '/webhook/deliveries/:id/replay',
    summary: 'Sends a webhook delivery again, now, under the same id.',
    operation: 'replay-webhook-delivery',
    subgraph: 'accounts',
    reply: { http: 200, status: 'webhook_delivery_replayed', message: 'Webhook delivery replayed.' },
    errors: ['customer_not_logged', 'not_found', 'webhook_endpoint_off', 'replay_limit_reached'],
  },
  {
    method: 'POST',
    path: '/webhook/test',
    summary: "Sends a test event to the tenant's address.",
    operation: 'send-test-webhook',
    subgraph: 'accounts',
    reply: { http: 201, status: 'webhook_test_sent', message: 'Test event sent.' },
    errors: ['customer_not_logged', 'webhook_address_missing', 'replay_limit_reached'],
  },
]
