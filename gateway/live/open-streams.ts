/** The streams that are open, by their tenants. */
interface OpenStreams {
  count: () => number
  of: (tenantId: string) => number
  all: () => AbortController[]
  add: (tenantId: string, ending: AbortController) => void
  /** Does nothing where the stream was given up. */
  remove: (tenantId: string, ending: AbortController) => void
  /**
   * Ends the oldest stream of the tenant that has most. Not where the newcomer would then have as many as that one has now: its
   * client would come again, and end another one's.
   * @returns whether there is a place now for a stream of this tenant
   */
  giveUpFor: (tenantId: string) => boolean
}

/** Keeps count of open streams. */
export function openStreams(): OpenStreams {
  const byTenant = new Map<string, Set<AbortController>>()
  let count = 0

  const of = (tenantId: string): number => byTenant.get(tenantId)?.size ?? 0

  const remove = (tenantId: string, ending: AbortController): void => {
    const streams = byTenant.get(tenantId)
    if (!streams?.delete(ending)) return
    count -= 1
    if (streams.size === 0) byTenant.delete(tenantId)
  }

  return {
    count: () => count,
    of,
    all: () => [...byTenant.values()].flatMap((streams) => [...streams]),
    add: (tenantId, ending) => {
      const streams = byTenant.get(tenantId) ?? new Set<AbortController>()
      byTenant.set(tenantId, streams.add(ending))
      count += 1
    },
    remove,
    giveUpFor: (tenantId) => {
      let most: string | undefined
      for (const other of byTenant.keys()) if (most === undefined || of(other) > of(most)) most = other
      if (most === undefined || of(most) <= of(tenantId) + 1) return false
      const [oldest] = byTenant.get(most) ?? []
      if (!oldest) return false
      remove(most, oldest)
      oldest.abort()
      return true
    },
  }
}
