import { connectionOf, readPage, type Connection, type PageRequest } from '../../../../kernel/connection.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import type { Dispute } from '../../model/dispute.js'
import { placeOfText, textOfPlace } from '../../model/return-place.js'
import type { Stores } from '../../store/stores.js'

/** The list's name in its cursors. */
const LIST = 'dispute'

/** What was taken back of the tenant's payments without its order, newest first. Throws validation_error on `first` or `after`. */
export async function listDisputes(
  { disputes }: Pick<Stores, 'disputes'>,
  tenant: Tenant,
  request: PageRequest,
): Promise<Connection<Dispute>> {
  const { size, after } = readPage(request, placeOfText, LIST)
  // One more than asked for tells whether another page follows.
  const found = await disputes.list(tenant.id, { limit: size + 1, after })
  return connectionOf(found, { size, hasPreviousPage: after !== undefined, list: LIST }, textOfPlace)
}
