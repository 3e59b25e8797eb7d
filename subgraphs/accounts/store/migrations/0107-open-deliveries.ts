import { buildIndex } from '../../../../kernel/migrate.js'

/** The open deliveries of an endpoint that ends, some at a time, without reading those that have ended or were ordered since. */
export const findOpenDeliveries = buildIndex(
  'accounts',
  'webhook_delivery_open_at_endpoint',
  `on accounts.webhook_delivery (tenant_id, endpoint_id, started_at)
    where endpoint_id is not null and next_attempt_at is not null`,
)
