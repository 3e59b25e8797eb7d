import type { RateVerdict } from './rate-headers.js'
import type { RateLimit } from './rate-limit.js'

/** What events may take of a key's minute. They come by themselves, and one that waits takes what comes free at once. */
const EVENTS_PART = 0.5

/**
 * Counts an event against a key's rate, where the rate has room for it and so has the part that events may take: the rest is left to
 * requests. What is larger than that part goes by the whole rate, and fills it: an empty part it might wait for in vain.
 * @param count what it is worth; of nothing nothing is counted
 * @returns what is left of the whole rate
 */
export async function takeEvent(rate: Pick<RateLimit, 'take'>, key: string, count: number): Promise<RateVerdict> {
  const now = await rate.take(key, 0)
  const { limit, remaining } = now
  if (count === 0 || limit === 0) return now
  if (remaining < count) return { ...now, allowed: false }
  const part = Math.max(1, Math.floor(limit * EVENTS_PART))
  const { allowed, resetSeconds } = await rate.take(`events of ${key}`, Math.min(count, part), part)
  return allowed || count > part ? rate.take(key, count) : { ...now, allowed, resetSeconds }
}
