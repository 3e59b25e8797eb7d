import { buildIndex } from '../../../../kernel/migrate.js'

/** Whose attempts are due, and which are not to be made any more: of a tenant's endpoint, or of its contract's addresses, without reading those that are not. */
export const findDueDeliveries = [
  // The secrets that sign on between the one before the last rotation and the oldest one, the newest first.
  `alter table accounts.integration add column if not exists secrets_between jsonb not null default '[]'`,
  `alter table accounts.registered_endpoint add column if not exists secrets_between jsonb not null default '[]'`,
  // What was ordered until then is not delivered any more, also where the endpoint is on again.
  'alter table accounts.registered_endpoint add column if not exists ended_until timestamptz(3)',
  ...buildIndex(
    'accounts',
    'webhook_delivery_due',
    'on accounts.webhook_delivery (tenant_id, endpoint_id, next_attempt_at) where next_attempt_at is not null',
  ),
]
