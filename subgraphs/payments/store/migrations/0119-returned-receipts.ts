import { buildIndex } from '../../../../kernel/migrate.js'

/** What came for a payment and was not taken is read with each charge of the payment: such money is rare. */
export const findReturnedReceipts = buildIndex(
  'payments',
  'receipt_returned',
  `on payments.receipt (tenant_id, payment_id) where outcome = 'returned'`,
)
