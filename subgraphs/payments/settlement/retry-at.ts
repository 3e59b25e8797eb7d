/** A payout that failed is tried again after a minute, then after twice as long each time, up to an hour. */
const RETRY_BASE_MS = 60_000
const RETRY_MAX_MS = 3_600_000

/** When a payout is tried again after so many attempts, of which some made no transaction. */
export function retryAt(attempt: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(RETRY_BASE_MS * 2 ** Math.max(attempt - 1, 0), RETRY_MAX_MS))
}
