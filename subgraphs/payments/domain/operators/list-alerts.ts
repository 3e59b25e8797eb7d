import { connectionOf, readPage, type Connection, type PageRequest } from '../../../../kernel/connection.js'
import type { RaisedAlert } from '../../store/alerts.js'
import type { Stores } from '../../store/stores.js'
import { identifiedPage, numberFrom } from './numbered-id.js'

/** Names the list in its cursors. */
const LIST = 'alert'

/** What listing alerts needs. */
export type ListAlertsDeps = Pick<Stores, 'alerts'>

/**
 * The alerts of the deployment, the newest first.
 * @throws validation_error on `first`, `after`
 */
export async function listAlerts(
  { alerts }: ListAlertsDeps,
  { state, ...request }: PageRequest & { state?: 'open' | 'closed' | null },
): Promise<Connection<RaisedAlert>> {
  const { size, after } = readPage(request, numberFrom, LIST)
  const found = await alerts.page({ state: state ?? undefined, after, limit: size + 1 })
  const page = connectionOf(found, { size, hasPreviousPage: after !== undefined, list: LIST }, ({ id }) => id)
  return identifiedPage('alert', page)
}
