/**
 * What a tenant is told of, by its times: a stream of all payments that goes on reads a page of it, and not the tenant's whole
 * history. Registrations are told by webhooks alone, so none of them pays for it.
 */
export const indexAnnouncedEvents = [
  `create index payment_event_announced on payments.payment_event (tenant_id, created_at, payment_id, sequence)
      where notify and sequence > 1`,
]
