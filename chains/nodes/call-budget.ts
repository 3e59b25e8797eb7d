/** What time a budget goes by. */
export interface BudgetTime {
  nowMs: () => number
  /** Waits so many milliseconds. */
  delay: (ms: number) => Promise<void>
}

/**
 * A budget of calls: as many as a second allows may go at once, others wait for their turn, in the order in which they came.
 * None is dropped.
 * @param callsPerSecond undefined: there is no limit
 * @returns what waits until so many calls may go
 */
export function createCallBudget(
  callsPerSecond: number | undefined,
  { nowMs, delay }: BudgetTime,
): (calls: number) => Promise<void> {
  let spentUntil = -Infinity
  return async (calls) => {
    if (callsPerSecond === undefined) return
    const now = nowMs()
    spentUntil = Math.max(spentUntil, now - 1_000) + (calls * 1_000) / callsPerSecond
    if (spentUntil > now) await delay(spentUntil - now)
  }
}
