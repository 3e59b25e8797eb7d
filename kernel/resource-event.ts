/** One event of one resource; the payload of the job `publish-event`. `sequence` grows by one with every event. */
export interface ResourceEvent<Source extends string = string> {
  tenantId: string
  source: Source
  resourceId: string
  sequence: number
}

/** What a tenant is told of an event. */
export interface RenderedEvent {
  /** Dotted, e.g. `payment.success`. */
  type: string
  /** When it happened, ISO 8601. */
  timestamp: string
  /** Where to; null where the tenant has named no address. */
  url: string | null
  /** The integration whose secrets sign it; null for the tenant's default. */
  publicClientId: string | null
  /** The REST view of the resource as it was after the event. */
  data: object
}
