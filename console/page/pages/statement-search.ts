import { dayIn, textIn } from './search-text.js'

/** Which time a statement is of, as it is in the address: its first and its last day. */
export interface StatementSearch {
  from?: string | undefined
  to?: string | undefined
  after?: string | undefined
}

export function statementSearch(search: Record<string, unknown>): StatementSearch {
  return { from: dayIn(search, 'from'), to: dayIn(search, 'to'), after: textIn(search, 'after') }
}
