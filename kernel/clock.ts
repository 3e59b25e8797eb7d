/**
 * The product's own time. Everything that decides by time (expiry, retries, leases) asks a clock it was given, so that
 * a test or the sandbox's `/sandbox/clock` can move it, and nothing has to sleep.
 */
export interface Clock {
  /** The current instant of the product. */
  now(): Date
  /** How far the product's time is ahead of the machine's, in milliseconds; 0 outside sandbox and tests. */
  aheadMs(): number
  /**
   * Milliseconds on a monotonic clock: what lies between two readings has passed, also where the machine's time was
   * corrected meanwhile. Its start means nothing, so it cannot be compared between processes.
   */
  steadyMs(): number
}

/** The machine's own time. */
export const systemClock: Clock = { now: () => new Date(), aheadMs: () => 0, steadyMs: () => performance.now() }

/** A clock that follows the machine's and can be moved forward. */
export interface AdjustableClock extends Clock {
  /** Moves the clock forward by `ms` milliseconds. */
  advance(ms: number): void
}

/**
 * A clock for sandbox and tests.
 * @param aheadMs how far it starts ahead of the machine's time, in milliseconds
 * @param skewMs how wrong the machine's time is taken to be, in milliseconds: unlike `aheadMs` no part of the product knows of it, so that
 *   a moment that another process has written down is off by as much
 */
export function adjustableClock(aheadMs = 0, skewMs = 0): AdjustableClock {
  let ahead = aheadMs
  return {
    now: () => new Date(Date.now() + skewMs + ahead),
    aheadMs: () => ahead,
    steadyMs: () => performance.now() + ahead,
    advance: (ms) => {
      ahead += ms
    },
  }
}
