import type { EndpointsResult, WebhookEndpointsResult, WebhookEventKind } from '../generated/operations.js'

/** An integration as the place that events go to. */
export type ShownEndpoint = NonNullable<EndpointsResult['account']>['integrations'][number]

/** An endpoint beside the contract's address. */
export type RegisteredEndpoint = NonNullable<WebhookEndpointsResult['webhookEndpoints']>[number]

/** An event that every tenant gets; the others have the same form. */
export const TEST_EVENT = 'PAYMENT_SUCCESS'

/** A type of event as webhooks say it: `payment.success`. */
export function eventText(type: WebhookEventKind): string {
  return type.toLowerCase().replace('_', '.')
}
