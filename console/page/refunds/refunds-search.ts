import { textIn } from '../pages/search-text.js'

/** Where each of the two lists begins, as it is in the address. */
export interface RefundsSearch {
  after?: string | undefined
  afterDispute?: string | undefined
}

export function refundsSearch(search: Record<string, unknown>): RefundsSearch {
  return { after: textIn(search, 'after'), afterDispute: textIn(search, 'afterDispute') }
}
