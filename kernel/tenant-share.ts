/** What a tenant may have running at once, and how what is above comes again. */
interface ShareLimits {
  running: number
  /** How soon at the earliest. */
  afterMs: number
  /** How long after the one before it: what comes again at once would be put off again, by the thousand and for ever. */
  apartMs: number
}

/** What of a process tenants have in hand, of one kind of work. */
export interface TenantShares {
  /**
   * Runs the work, unless its tenant has as much running as it may.
   * @returns when the work, which was not begun, is to come again; undefined where it has run
   */
  run(tenantId: string, now: Date, work: () => Promise<void>): Promise<Date | undefined>
}

interface Share {
  running: number
  /** When what was put off last comes again. */
  lastMs: number
}

/**
 * Shares of which nobody has used any. Unlike in a `TenantQueue` nothing waits here: a job that waited would hold a place of the worker,
 * which is what other tenants need.
 */
export function tenantShares({ running: runningMax, afterMs, apartMs }: ShareLimits): TenantShares {
  const shares = new Map<string, Share>()
  return {
    async run(tenantId, now, work) {
      const share = shares.get(tenantId) ?? { running: 0, lastMs: 0 }
      if (share.running >= runningMax) {
        share.lastMs = Math.max(now.getTime() + afterMs, share.lastMs + apartMs)
        return new Date(share.lastMs)
      }
      shares.set(tenantId, share)
      share.running += 1
      try {
        await work()
        return undefined
      } finally {
        share.running -= 1
        if (share.running === 0) shares.delete(tenantId)
      }
    },
  }
}
