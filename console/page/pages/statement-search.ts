import { day, searchOf, text } from './search-text.js'

/** Which time a statement is of, as it is in the address: its first and its last day. */
export const statementSearch = searchOf({ from: day, to: day, after: text })
