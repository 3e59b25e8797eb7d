const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** What lies between an attempt that failed and the next one: a good three days in all. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

const SCHEDULE_MS = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0)

/**
 * When to try again, or undefined where the schedule is exhausted.
 * @param failures attempts that failed since `startedAt`, the last one included
 * @param startedAt when the first attempt fell due
 * @param now when the last attempt had failed
 * @param retryAfterMs what the receiver asked for: it can put the next attempt off, not beyond the schedule's own end,
 *   and never brings it forward
 */
export function nextAttemptAt(failures: number, startedAt: Date, now: Date, retryAfterMs = 0): Date | undefined {
  const delay = RETRY_DELAYS_MS[failures - 1]
  if (delay === undefined) return undefined
  const scheduled = now.getTime() + delay
  const asked = Math.min(now.getTime() + retryAfterMs, startedAt.getTime() + SCHEDULE_MS)
  return new Date(Math.max(scheduled, asked))
}

/**
 * `Retry-After` in milliseconds from `now`, 0 where it is absent or unreadable (RFC 9110, 10.2.3: seconds or a date).
 * @param now the machine's time, which the receiver's dates are written in
 */
export function readRetryAfterMs(value: string | undefined, now: Date): number {
  if (value === undefined) return 0
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime()
  return Number.isNaN(ms) ? 0 : Math.max(ms, 0)
}
