import { connectionOf, readPage, type Connection, type PageRequest } from '../../../kernel/connection.js'
import { validationError } from '../../../kernel/errors.js'
import { HISTORY_PAGE_MAX, type HistoryPage } from '../store/payments.js'

/** Names the list in its cursors. */
const LIST = 'history'

/** How many entries are shown where a client does not say. */
export const HISTORY_PAGE_SIZE = 20

/** Why the lists without cursors are deprecated. */
export const WITHOUT_CURSORS = 'It does not say whether more follows: use `events`.'

/** Which entries of a history a client asks for. Throws validation_error on `first`. */
export function historyPage(first: number, after: number | null): HistoryPage {
  if (first < 1 || first > HISTORY_PAGE_MAX)
    throw validationError([{ field: 'first', message: `must be from 1 to ${HISTORY_PAGE_MAX}` }])
  return { first, after: after ?? 0 }
}

/** A page of a history with cursors, oldest first. Throws validation_error on `first` or `after`. */
export async function historyConnection<Entry extends { sequence: number }>(
  asked: PageRequest,
  read: (page: HistoryPage) => Promise<readonly Entry[]>,
): Promise<Connection<Entry>> {
  const { size, after } = readPage(asked, sequenceFrom, LIST)
  const found = await read({ first: size + 1, after: after ?? 0 })
  return connectionOf(found, { size, hasPreviousPage: after !== undefined, list: LIST }, ({ sequence }) =>
    String(sequence),
  )
}

function sequenceFrom(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
