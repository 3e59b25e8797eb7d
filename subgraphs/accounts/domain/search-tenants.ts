import { connectionOf, readPage, type Connection, type PageRequest } from '../../../kernel/connection.js'
import { validationError } from '../../../kernel/errors.js'
import type { AccountsDeps } from '../deps.js'
import type { TenantAccount } from '../store/tenant.entity.js'

/** Names the list in its cursors. */
const LIST = 'tenant'

const SEARCH_MAX = 200

/**
 * The tenants, the newest first.
 * @param input.search an id, or how a name begins
 * @throws validation_error on `search`, `first`, `after`
 */
export async function searchTenants(
  { accounts }: Pick<AccountsDeps, 'accounts'>,
  { search, ...request }: PageRequest & { search?: string | null },
): Promise<Connection<TenantAccount>> {
  const text = search?.trim() ?? ''
  if (text.length > SEARCH_MAX)
    throw validationError([{ field: 'search', message: `must have ${SEARCH_MAX} characters at most` }])
  const { size, after } = readPage(request, (place) => (/^\w{1,40}$/.test(place) ? place : undefined), LIST)
  const limit = size + 1
  const found = await (text === '' ? accounts.listTenants(after, limit) : accounts.searchTenants(text, after, limit))
  return connectionOf(found, { size, hasPreviousPage: after !== undefined, list: LIST }, ({ id }) => id)
}
