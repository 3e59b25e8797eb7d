export const RANGES = [7, 30, 90] as const

/** How many days the overview looks back over, as it is in the address; left out for the usual. */
export interface OverviewSearch {
  days?: (typeof RANGES)[number] | undefined
}

/** What is no range is left out. */
export function overviewSearch(search: Record<string, unknown>): OverviewSearch {
  return { days: RANGES.find((range) => String(range) === String(search['days'])) }
}
