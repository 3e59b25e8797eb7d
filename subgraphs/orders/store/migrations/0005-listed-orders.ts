import { buildIndex } from '../../../../kernel/migrate.js'

/** A tenant's orders are listed without a look at those that it has deleted, however many these are. */
export const listOrders = buildIndex(
  'orders',
  'payment_order_listed',
  'on orders.payment_order (tenant_id, number) where not deleted',
)
