import { validationError } from '../../../kernel/errors.js'
import { HISTORY_PAGE_MAX, type HistoryPage } from '../store/payments.js'

/** How many entries are shown where a client does not say. */
export const HISTORY_PAGE_SIZE = 20

/** Which entries of a history a client asks for. Throws validation_error on `first`. */
export function historyPage(first: number, after: number | null): HistoryPage {
  if (first < 1 || first > HISTORY_PAGE_MAX)
    throw validationError([{ field: 'first', message: `must be from 1 to ${HISTORY_PAGE_MAX}` }])
  return { first, after: after ?? 0 }
}
