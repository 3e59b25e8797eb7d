import { buildIndex } from '../../../../kernel/migrate.js'

/** What was not taken and goes back is read newest first, a page at a time, however many refunds a tenant has besides. */
export const indexReturnLists = buildIndex(
  'payments',
  'receipt_return_not_taken',
  `on payments.receipt_return (tenant_id, created_at, rail, receipt_id, id) where refund_id is null and not forced`,
)
