/** What tenants are told of is read by its time, a page at a time, however long a tenant's history is. Registrations are not told. */
export const indexAnnouncedEvents = [
  `create index payment_event_announced on payments.payment_event (tenant_id, created_at, payment_id, sequence)
      where notify and sequence > 1`,
]
