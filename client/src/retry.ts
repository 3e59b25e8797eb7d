import { ApiError, ConnectionError, RateLimitedError, UnexpectedAnswerError } from './api-error.js'

/** The first wait, and the longest, in milliseconds. */
const FIRST_MS = 500
const LONGEST_MS = 8_000
/** A service that asks for a longer wait than this is not waited for. */
const PATIENCE_MS = 60_000

/** Answers after which the same request can do no harm: nothing was done, or its idempotency key finds what was. */
const REPEATABLE = new Set(['idempotency_in_progress', 'too_many_operations', 'provider_unavailable'])
/** What is repeated of reading requests besides. */
const REPEATABLE_READS = new Set(['provider_timeout', 'server_error', 'server_failed'])

/**
 * How long to wait before a failed request is sent again, in milliseconds: as the service asks, or doubling with full
 * jitter, as in https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
 * @param retry which one it would be: 0 is the first
 * @param random from 0 to 1
 * @returns undefined where it must not be sent again
 */
export function waitBeforeRetry(
  error: unknown,
  isRead: boolean,
  retry: number,
  random: () => number,
): number | undefined {
  if (!isRepeatable(error, isRead)) return undefined
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined
  if (asked !== undefined) return asked <= PATIENCE_MS ? asked : undefined
  return random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** retry)
}

function isRepeatable(error: unknown, isRead: boolean): boolean {
  // Every writing request has an idempotency key, so one whose answer was lost does nothing twice.
  if (error instanceof ConnectionError || error instanceof RateLimitedError) return true
  if (error instanceof UnexpectedAnswerError) return [502, 503, 504].includes(error.httpStatus)
  if (!(error instanceof ApiError)) return false
  return REPEATABLE.has(error.code) || (isRead && REPEATABLE_READS.has(error.code))
}
