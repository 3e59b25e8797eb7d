import { recentlyUsed } from '../../kernel/recently-used.js'
import type { Clock } from '../../kernel/clock.js'
import type { RateVerdict } from './rate-headers.js'
import { rateLimitSync, type KeyRate, type RateShare } from './rate-limit-sync.js'
import { append, dropLeft, nextLeave, slidingLog, whenLeft } from './sliding-log.js'

const WINDOW_MS = 60_000

export interface RateLimitOptions {
  /** Requests per minute and key; 0 is none. */
  limit: number
  clock: Clock
  maxKeys: number
  /** How the processes tell each other; without it every process counts for itself. */
  share?: RateShare
}

export interface RateLimit {
  /**
   * Counts requests of a key and says whether they are let in, all or none; refused ones do not count. At once, unless a
   * key's burst has to be told to the other processes first.
   * @param count how many; one where left out. Of none nothing is counted: the verdict tells what is left
   * @param most how many the window may hold with them; the limit where left out
   */
  take(key: string, count?: number, most?: number): RateVerdict | Promise<RateVerdict>
  /** Keys that are kept in memory now. */
  readonly size: number
  /** Shares what is not shared yet. */
  close(): Promise<void>
}

/**
 * A limit per key over a sliding window of 60 seconds.
 *
 * In one process it is exact. Processes that share counts do so in batches (`rate-limit-sync.ts`), never for each request.
 * What bounds their error is that each lets in only a few requests of a key beyond its last sync: with n processes
 * at most 2 (n - 1) times that many can be let in too many (two syncs at the same moment do not see each other).
 */
export function rateLimit(options: RateLimitOptions): RateLimit {
  const { limit, clock, share } = options
  const rates = recentlyUsed<string, KeyRate>(options.maxKeys)
  const sync = share && rateLimitSync(share, clock)

  function rateOf(key: string): KeyRate {
    const known = rates.get(key)
    if (known) return known
    const made = { key, own: slidingLog(), others: slidingLog(), otherProcesses: 0, unacknowledged: 0 }
    rates.set(key, made)
    return made
  }

  function take(key: string, count = 1, most = limit): RateVerdict | Promise<RateVerdict> {
    if (limit === 0) return { allowed: true, limit, remaining: 0, resetSeconds: 0 }
    // Whole milliseconds, as the logs keep one run for each. Not the time of day: that may be set, forward and back.
    const nowMs = Math.floor(clock.steadyMs())
    const rate = rateOf(key)
    dropLeft(rate.own, nowMs)
    dropLeft(rate.others, nowMs)
    const used = rate.own.total + rate.others.total
    if (count === 0) return letIn(rate, limit, Math.max(0, limit - used), nowMs)
    if (used + count > most) {
      const freeAtMs = whenLeft(rate.own, rate.others, used + count - most)
      const remaining = Math.max(0, most - used)
      return { allowed: false, limit, remaining, resetSeconds: secondsUntil(freeAtMs, nowMs) }
    }
    if (sync?.works() && rate.unacknowledged >= unsharedAllowance(limit, rate.otherProcesses)) {
      return sync.settle(rate).then(() => take(key, count, most))
    }
    append(rate.own, nowMs + WINDOW_MS, count)
    rate.unacknowledged += count
    sync?.soon(rate)
    return letIn(rate, limit, most - used - count, nowMs)
  }

  return {
    take,
    get size() {
      return rates.size
    },
    close: async () => sync?.close(),
  }
}

function letIn({ own, others }: KeyRate, limit: number, remaining: number, nowMs: number): RateVerdict {
  // Of a key that has nothing in its window a whole one is left.
  const nextMs = Math.min(nextLeave(own), nextLeave(others), nowMs + WINDOW_MS)
  return { allowed: true, limit, remaining, resetSeconds: secondsUntil(nextMs, nowMs) }
}

/** How far all processes together may exceed the limit, as a part of it. */
const TOLERANCE = 0.05

/**
 * How many requests of a key a process may let in beyond its last sync. At least one, so with a small limit the
 * tolerance holds for few processes only (600 a minute: 16).
 */
function unsharedAllowance(limit: number, otherProcesses: number): number {
  return Math.max(1, Math.floor((limit * TOLERANCE) / (2 * Math.max(2, otherProcesses + 1))))
}

function secondsUntil(atMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((atMs - nowMs) / 1000))
}
