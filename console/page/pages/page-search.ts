import { searchOf, text } from './search-text.js'

/** Where a list begins, as it is in the address: the cursor that the page begins behind. */
export const pageSearch = searchOf({ after: text })
