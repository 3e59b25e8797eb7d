import { searchOf, text } from '../pages/search-text.js'

/** Where each of the three lists begins, as it is in the address. */
export const refundsSearch = searchOf({ after: text, afterDispute: text, afterReturn: text })
