import { searchOf } from './search-text.js'

export const RANGES = [7, 30, 90] as const

/** How many days the overview looks back over, as it is in the address; left out for the usual. */
export const overviewSearch = searchOf({
  days: (value) => RANGES.find((range) => String(range) === String(value)),
})
