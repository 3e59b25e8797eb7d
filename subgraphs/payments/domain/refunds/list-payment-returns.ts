import { connectionOf, readPage, type Connection, type PageRequest } from '../../../../kernel/connection.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import type { PaymentReturn } from '../../model/payment-return.js'
import { placeOfText, textOfPlace } from '../../model/return-place.js'
import type { Stores } from '../../store/stores.js'

/** The list's name in its cursors. */
const LIST = 'return'

/** What came for the tenant's payments, was not taken and goes back, newest first. Throws validation_error on `first` or `after`. */
export async function listPaymentReturns(
  { paymentReturns }: Pick<Stores, 'paymentReturns'>,
  tenant: Tenant,
  request: PageRequest,
): Promise<Connection<PaymentReturn>> {
  const { size, after } = readPage(request, placeOfText, LIST)
  // One more than asked for tells whether another page follows.
  const found = await paymentReturns.list(tenant.id, { limit: size + 1, after })
  return connectionOf(found, { size, hasPreviousPage: after !== undefined, list: LIST }, textOfPlace)
}
