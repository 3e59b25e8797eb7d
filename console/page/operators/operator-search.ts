import { oneOf, searchOf, text } from '../pages/search-text.js'

export const STATES = ['OPEN', 'CLOSED'] as const

/** What opens and closes: alerts and differences. */
export const stateSearch = searchOf({ state: oneOf(STATES), after: text })

/** Which tenants are listed. */
export const tenantsSearch = searchOf({ search: text, after: text })
