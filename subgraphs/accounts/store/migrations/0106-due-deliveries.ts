import { buildIndex } from '../../../../kernel/migrate.js'

/** Whose attempts are due: of a tenant's endpoint, or of its contract's addresses, without reading those that are not. */
export const findDueDeliveries = [
  ...buildIndex(
    'accounts',
    'webhook_delivery_due',
    'on accounts.webhook_delivery (tenant_id, endpoint_id, next_attempt_at) where next_attempt_at is not null',
  ),
]
