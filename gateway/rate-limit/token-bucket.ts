import { recentlyUsed } from '../../kernel/recently-used.js'
import type { Clock } from '../../kernel/clock.js'

/** How often each address, or each link, may do something. */
export interface TokenBuckets {
  /**
   * Takes one from a tokenBuckets.
   * @returns 0 where there was one, otherwise the seconds until there is
   */
  take(whose: string): number
  /** Puts one back that turned out to cost nothing. */
  refund(whose: string): void
  /** Budgets that are kept in memory now. */
  readonly size: number
}

interface Bucket {
  left: number
  asOfMs: number
}

/**
 * Budgets that fill up steadily, each to what it gives in a minute. They are kept by this process for itself, and those that
 * were used longest ago are forgotten: a flood from more addresses than that is for a firewall.
 */
export function tokenBuckets({
  perMinute,
  maxKept,
  clock,
}: {
  perMinute: number
  maxKept: number
  clock: Clock
}): TokenBuckets {
  const buckets = recentlyUsed<string, Bucket>(maxKept)
  const perMs = perMinute / 60_000

  function filled(whose: string): Bucket {
    const nowMs = clock.steadyMs()
    const bucket = buckets.get(whose)
    if (!bucket) {
      const made = { left: perMinute, asOfMs: nowMs }
      buckets.set(whose, made)
      return made
    }
    bucket.left = Math.min(perMinute, bucket.left + (nowMs - bucket.asOfMs) * perMs)
    bucket.asOfMs = nowMs
    return bucket
  }

  return {
    take(whose) {
      const bucket = filled(whose)
      if (bucket.left < 1) return Math.max(1, Math.ceil((1 - bucket.left) / perMs / 1000))
      bucket.left -= 1
      return 0
    },
    refund(whose) {
      const bucket = filled(whose)
      bucket.left = Math.min(perMinute, bucket.left + 1)
    },
    get size() {
      return buckets.size
    },
  }
}
