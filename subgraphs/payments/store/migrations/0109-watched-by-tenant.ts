import { buildIndex } from '../../../../kernel/migrate.js'

/** How many addresses of a tenant are watched is counted with each that is opened. */
export const countWatchedByTenant = buildIndex(
  'payments',
  'payment_address_watched_by_tenant',
  'on payments.payment_address (tenant_id, watch_until)',
)
