import { buildIndex } from '../../../../kernel/migrate.js'

/** What tenants pile up is not read where something is looked for beside it. */
export const lookPastHistories = [
  // Up to which event deliveries to endpoints are stored: of an order with any number of events.
  ...buildIndex(
    'accounts',
    'webhook_delivery_fanned_out',
    'on accounts.webhook_delivery (tenant_id, source, resource_id, endpoint_sequence) where endpoint_id is not null',
  ),
  // The first attempt that is next at an endpoint: of any number that were made, and that wait.
  ...buildIndex(
    'accounts',
    'webhook_delivery_first_attempts',
    `on accounts.webhook_delivery (tenant_id, endpoint_id, source, resource_id, endpoint_sequence)
      where endpoint_id is not null and state = 'pending' and attempt_count = 0`,
  ),
  // The keys that work: of any number that have expired.
  ...buildIndex('accounts', 'api_key_working', 'on accounts.api_key (tenant_id, expires_at) where revoked_at is null'),
]
