import { buildIndex } from '../../../../kernel/migrate.js'

/** Whose attempts are due, and which are not to be made any more: of a tenant's endpoint, or of its contract's addresses, without reading those that are not. */
export const findDueDeliveries = [
  // What was ordered until then is not delivered any more, also where the endpoint is on again.
  'alter table accounts.registered_endpoint add column if not exists ended_until timestamptz(3)',
  ...buildIndex(
    'accounts',
    'webhook_delivery_due',
    'on accounts.webhook_delivery (tenant_id, endpoint_id, next_attempt_at) where next_attempt_at is not null',
  ),
]
