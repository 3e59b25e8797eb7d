import { connectionOf, readPage, type Connection, type PageRequest } from '../../../kernel/connection.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { Payment } from '../store/payment.entity.js'
import type { PaymentFilter } from '../store/payments.js'
import type { Stores } from '../store/stores.js'

/** What listing payments needs. */
export type ListPaymentsDeps = Pick<Stores, 'payments'>

export interface ListPaymentsInput extends PageRequest {
  filter?: PaymentFilter | null
}

/**
 * The tenant's payments, newest first. A cursor is a place in the time order of ids, so it stays good while payments are
 * registered, and no page costs more than the first.
 * @throws validation_error on `first` or `after`
 */
export async function listPayments(
  deps: ListPaymentsDeps,
  tenant: Tenant,
  { filter, ...request }: ListPaymentsInput,
): Promise<Connection<Payment>> {
  const { size, after: afterId } = readPage(request, (text) => (isId(text) ? text : undefined))
  // One more than asked for tells whether another page follows.
  const found = await deps.payments.list(tenant.id, filter ?? {}, { limit: size + 1, afterId })
  return connectionOf(found, { size, hasPreviousPage: afterId !== undefined }, ({ id }) => id)
}
