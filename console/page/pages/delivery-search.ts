import type { WebhookDeliveryState } from '../generated/operations.js'
import { oneOf, textIn } from './search-text.js'

export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const satisfies WebhookDeliveryState[]

/** What the list of deliveries is filtered by, as it is in the address. */
export interface DeliverySearch {
  state?: WebhookDeliveryState | undefined
  endpointId?: string | undefined
  after?: string | undefined
}

export function deliverySearch(search: Record<string, unknown>): DeliverySearch {
  return {
    state: oneOf(search['state'], DELIVERY_STATES),
    endpointId: textIn(search, 'endpointId'),
    after: textIn(search, 'after'),
  }
}
