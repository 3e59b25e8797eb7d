import type { EndpointsResult, WebhookEndpointsResult } from '../generated/operations.js'

/** An integration as the place that events go to. */
export type ShownEndpoint = NonNullable<EndpointsResult['account']>['integrations'][number]

/** An endpoint beside the contract's address. */
export type RegisteredEndpoint = NonNullable<WebhookEndpointsResult['webhookEndpoints']>[number]

/** An event that every tenant gets; the others have the same form. */
export const TEST_EVENT = 'payment.success'
