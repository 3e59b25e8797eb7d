import type { CreateWebhookEndpointVariables, WebhookEventKind } from '../generated/operations.js'
import type { RegisteredEndpoint } from './shown.js'

/** Every type of event, in the order of the documents. */
export const EVENT_TYPES: readonly WebhookEventKind[] = [
  'PAYMENT_REGISTERED',
  'PAYMENT_PENDING',
  'PAYMENT_SUCCESS',
  'PAYMENT_ERROR',
  'PAYMENT_REPROVED',
  'PAYMENT_DISPUTED',
  'REFUND_CREATED',
  'REFUND_SUCCEEDED',
  'REFUND_FAILED',
  'ORDER_CREATED',
  'ORDER_UPDATED',
  'SUBSCRIPTION_STARTED',
  'SUBSCRIPTION_PAYMENT_REGISTERED',
  'SUBSCRIPTION_RENEWED',
  'SUBSCRIPTION_PAYMENT_FAILED',
  'SUBSCRIPTION_PAST_DUE',
  'SUBSCRIPTION_CHANGED',
  'SUBSCRIPTION_PAUSED',
  'SUBSCRIPTION_RESUMED',
  'SUBSCRIPTION_CANCELED',
  'KYC_UPDATED',
]

/** An endpoint in the making, or as it is to be. */
export interface EndpointDraft {
  url: string
  description: string
  getsAll: boolean
  events: WebhookEventKind[]
}

/** @param endpoint the one that is changed; undefined for a new one */
export function draftOf(endpoint: RegisteredEndpoint | undefined): EndpointDraft {
  return {
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    getsAll: endpoint?.events == null,
    events: [...(endpoint?.events ?? [])],
  }
}

/** The draft as the graph takes it. */
export function endpointInput(draft: EndpointDraft): CreateWebhookEndpointVariables['input'] {
  const { url, description, getsAll, events } = draft
  return { url: url.trim(), description: description.trim(), events: getsAll ? null : events }
}
