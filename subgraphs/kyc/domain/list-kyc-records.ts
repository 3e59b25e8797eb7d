import { connectionOf, readPage, type Connection, type PageRequest } from '../../../kernel/connection.js'
import { isId } from '../../../kernel/ids.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import { assertKycEnabled } from './assert-kyc-enabled.js'
import { kycView, type KycView } from './kyc-view.js'

/** Names the list in its cursors. */
const LIST = 'kyc'

/**
 * The tenant's verifications, newest first, as they are stored: each stale one would be a call to the provider. Each one
 * that is shown is an access to that person's data.
 * @throws product_disabled, validation_error on `first` or `after`
 */
export async function listKycRecords(
  deps: Pick<KycDeps, 'clock' | 'logAccess' | 'sessions'>,
  tenant: Tenant,
  request: PageRequest,
): Promise<Connection<KycView>> {
  assertKycEnabled(tenant)
  const { size, after: afterId } = readPage(request, (text) => (isId(text) ? text : undefined), LIST)
  // One more than asked for tells whether another page follows.
  const found = await deps.sessions.listRecords(tenant.id, { limit: size + 1, afterId })
  const views = found.map((record) => kycView(record, deps.clock.now()))
  const connection = connectionOf(views, { size, hasPreviousPage: afterId !== undefined, list: LIST }, ({ id }) => id)
  await Promise.all(connection.edges.map(({ node }) => deps.logAccess(tenant.id, node.id, 'list-kyc-records')))
  return connection
}
