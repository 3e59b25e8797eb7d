import { connectionOf, readPage, type Connection, type PageRequest } from '../../../../kernel/connection.js'
import { isId } from '../../../../kernel/ids.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import type { PaymentRefund } from '../../model/refund.js'
import type { Stores } from '../../store/stores.js'

/** Names the list in its cursors. */
const LIST = 'refund'

/** The refunds of all payments of the tenant, newest first. Throws validation_error on `first` or `after`. */
export async function listRefunds(
  { refunds }: Pick<Stores, 'refunds'>,
  tenant: Tenant,
  request: PageRequest,
): Promise<Connection<PaymentRefund>> {
  const { size, after: afterId } = readPage(request, (text) => (isId(text) ? text : undefined), LIST)
  // One more than asked for tells whether another page follows.
  const found = await refunds.list(tenant.id, { limit: size + 1, afterId })
  return connectionOf(found, { size, hasPreviousPage: afterId !== undefined, list: LIST }, ({ id }) => id)
}
