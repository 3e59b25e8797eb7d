import { connectionOf, readPage, type Connection, type PageRequest } from '../../../../kernel/connection.js'
import type { StoredDifference } from '../../store/differences.js'
import type { Stores } from '../../store/stores.js'
import { identifiedPage, numberFrom } from './numbered-id.js'

/** Names the list in its cursors. */
const LIST = 'difference'

/** What listing differences needs. */
export type ListDifferencesDeps = Pick<Stores, 'differences'>

/** What differs, or differed, between our books and the world, the newest first. Throws validation_error. */
export async function listDifferences(
  { differences }: ListDifferencesDeps,
  { state, ...request }: PageRequest & { state?: 'open' | 'closed' | null },
): Promise<Connection<StoredDifference>> {
  const { size, after } = readPage(request, numberFrom, LIST)
  const found = await differences.page(state == null ? null : state === 'open', after ?? null, size + 1)
  const page = connectionOf(found, { size, hasPreviousPage: after !== undefined, list: LIST }, ({ id }) => id)
  return identifiedPage('difference', page)
}
