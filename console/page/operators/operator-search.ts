import type { PageSearch } from '../pages/page-search.js'
import { oneOf, textIn } from '../pages/search-text.js'

const STATES = ['OPEN', 'CLOSED'] as const

/** What opens and closes: alerts and differences. */
export interface StateSearch extends PageSearch {
  state?: (typeof STATES)[number] | undefined
}

/** Which tenants are listed. */
export interface TenantsSearch extends PageSearch {
  search?: string | undefined
}

export function stateSearch(search: Record<string, unknown>): StateSearch {
  return { state: oneOf(search['state'], STATES), after: textIn(search, 'after') }
}

export function tenantsSearch(search: Record<string, unknown>): TenantsSearch {
  return { search: textIn(search, 'search'), after: textIn(search, 'after') }
}
