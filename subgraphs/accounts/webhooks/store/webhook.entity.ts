import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import { columnsOf, type Selected } from '../../../../kernel/columns.js'
import type { RequestFailure } from '../../../../kernel/address-guard.js'

/** Whose events tenants are told of. */
export type EventSource = 'payments' | 'orders' | 'kyc' | 'subscriptions' | 'refunds' | 'tests'

/** Where a delivery stands: attempts to come, a 2xx came, or dropped. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Why a delivery was ended before its time: what became of its endpoint. */
export type DeliveryEnd = 'endpoint_deleted' | 'endpoint_disabled'

/** Why an attempt had no answer. */
export type AttemptFailure = RequestFailure | 'no_secret'

/** One event on its way to a tenant. Kept for good, so that it can be read and sent again. */
export const WebhookDeliveryEntity = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    tenantId: p.string().primary(),
    /** Also the `webhook-id` of every attempt. */
    id: p.string().primary(),
    source: p.string().$type<EventSource>(),
    resourceId: p.string(),
    /** Of the event; null where the delivery is to a registered endpoint. */
    sequence: p.integer().nullable(),
    /** The registered endpoint that it is for; null where it goes to the contract's address. */
    endpointId: p.string().nullable(),
    /** Of the event, where the delivery is to a registered endpoint. */
    endpointSequence: p.integer().nullable(),
    type: p.string(),
    url: p.text(),
    publicClientId: p.string().nullable(),
    /** The exact text that is signed and sent; sealed where it carries people's data. */
    body: p.text(),
    state: p.string().$type<DeliveryState>(),
    attemptCount: p.integer(),
    /** Attempts that failed since `startedAt`: the position in the schedule. */
    failures: p.integer(),
    /** When the present schedule began: at the event, or at the last replay. */
    startedAt: p.datetime(3),
    /** Null before the first attempt, which follows the order of events, and when no attempt is to come. */
    nextAttemptAt: p.datetime(3).nullable(),
    /** While a worker makes a later attempt. */
    leasedUntil: p.datetime(3).nullable(),
    deliveredAt: p.datetime(3).nullable(),
    /** Why it was ended before its attempts were used up. */
    endedBecause: p.string().$type<DeliveryEnd>().nullable(),
    createdAt: p.datetime(3),
  },
})
export type WebhookDelivery = InferEntity<typeof WebhookDeliveryEntity>

const DUE_PROPERTIES = [
  'tenantId',
  'id',
  'source',
  'resourceId',
  'sequence',
  'type',
  'url',
  'publicClientId',
  'body',
  'attemptCount',
  'failures',
  'startedAt',
] as const satisfies (keyof WebhookDelivery)[]

/** What an attempt needs to know of its delivery, its event's key included. */
export type DueDelivery = Selected<WebhookDelivery, (typeof DUE_PROPERTIES)[number]> & { sequence: number }
export const DUE_COLUMNS = columnsOf(DUE_PROPERTIES)

/** How many attempts of a delivery are shown, the newest: a replay has ten before it, and so had the event. */
export const ATTEMPTS_SHOWN = 20

/** One POST of a delivery, and what came of it: an HTTP status, or a failure. */
export const WebhookAttemptEntity = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempt',
  properties: {
    tenantId: p.string().primary(),
    deliveryId: p.string().primary(),
    number: p.integer().primary(),
    attemptedAt: p.datetime(3),
    httpStatus: p.integer().nullable(),
    failure: p.string().$type<AttemptFailure>().nullable(),
    durationMs: p.integer(),
    /** The excerpt of the answer that `answerExcerpt` makes, sealed; null where there was no text. */
    sealedResponse: p.text().nullable(),
    /** The same in clear, of attempts from before excerpts were sealed. */
    responseBody: p.text().nullable(),
  },
})
export type WebhookAttempt = InferEntity<typeof WebhookAttemptEntity>

/** A tenant's address that does not take deliveries now; the row goes with the first success. */
export const WebhookEndpointEntity = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    tenantId: p.string().primary(),
    urlDigest: p.string().primary(),
    url: p.text(),
    failingSince: p.datetime(3),
    /** When a delivery to it was dropped. */
    markedFailingAt: p.datetime(3).nullable(),
  },
})
