import type { Tenant } from '../../../kernel/tenant.js'
import type { PaymentsDeps } from '../deps.js'
import type { Payment } from '../store/payment.entity.js'
import type { PaymentFilter } from '../store/payments.js'
import { connect, type Connection } from './connection.js'

export interface ListPaymentsInput {
  first: number
  after?: string | null
  filter: PaymentFilter
}

export type PaymentConnection = Connection<Payment>

/** The tenant's payments, newest first. Throws validation_error on `first` or `after`. */
export function listPayments(
  deps: PaymentsDeps,
  tenant: Tenant,
  { filter, ...page }: ListPaymentsInput,
): Promise<PaymentConnection> {
  return connect(page, (wanted) => deps.payments.list(tenant.id, filter, wanted))
}
