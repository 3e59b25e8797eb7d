import { textIn } from './search-text.js'

/** Where a list begins, as it is in the address. */
export interface PageSearch {
  /** The cursor that the page begins behind. */
  after?: string | undefined
}

export function pageSearch(search: Record<string, unknown>): PageSearch {
  return { after: textIn(search, 'after') }
}
