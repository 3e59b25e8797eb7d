import type { CreateWebhookEndpointVariables } from '../generated/operations.js'
import type { RegisteredEndpoint } from './shown.js'

/** Every type of event, in the order of the documents. */
export const EVENT_TYPES = [
  'payment.registered',
  'payment.pending',
  'payment.success',
  'payment.error',
  'payment.reproved',
  'payment.disputed',
  'refund.created',
  'refund.succeeded',
  'refund.failed',
  'order.created',
  'order.updated',
  'subscription.started',
  'subscription.payment_registered',
  'subscription.renewed',
  'subscription.payment_failed',
  'subscription.past_due',
  'subscription.changed',
  'subscription.paused',
  'subscription.resumed',
  'subscription.canceled',
  'kyc.updated',
]

/** An endpoint in the making, or as it is to be. */
export interface EndpointDraft {
  url: string
  description: string
  getsAll: boolean
  events: string[]
}

/** @param endpoint the one that is changed; undefined for a new one */
export function draftOf(endpoint: RegisteredEndpoint | undefined): EndpointDraft {
  return {
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    getsAll: endpoint?.eventTypes == null,
    events: [...(endpoint?.eventTypes ?? [])],
  }
}

/** The draft as the graph takes it. */
export function endpointInput(draft: EndpointDraft): CreateWebhookEndpointVariables['input'] {
  const { url, description, getsAll, events } = draft
  return { url: url.trim(), description: description.trim(), events: getsAll ? null : events }
}
