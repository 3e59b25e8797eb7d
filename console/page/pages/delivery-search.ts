import type { WebhookDeliveryState } from '../generated/operations.js'
import { oneOf, searchOf, text } from './search-text.js'

export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'FAILED'] as const satisfies WebhookDeliveryState[]

/** What the list of deliveries is filtered by, as it is in the address. */
export const deliverySearch = searchOf({ state: oneOf(DELIVERY_STATES), endpointId: text, after: text })
