/** How many attempts may be under way, and how long the worker waits for them. */
export interface SlotLimits {
  /** Attempts to the receivers of one tenant at once, or to one registered endpoint; below the sockets that the guard has for one host. */
  perTenant: number
  /** How long a job waits for a slot, where its tenant's receivers have been quick. */
  waitMs: number
  /** After this long an attempt is detached from the worker, which takes another job. */
  detachAfterMs: number
  /** Detached attempts, of all tenants. */
  detachedMax: number
}

/** Of registered endpoints, of which a tenant may have ten. */
export const ENDPOINT_LIMITS: SlotLimits = { perTenant: 4, waitMs: 200, detachAfterMs: 1_000, detachedMax: 128 }

const LIMITS: SlotLimits = { perTenant: 8, waitMs: 200, detachAfterMs: 1_000, detachedMax: 128 }

/** Jobs that found no slot come again after this, one after the other, but not later than after the longest. */
const BACKOFF_MS = 1_000
const BACKOFF_MAX_MS = 60_000
/** How long an attempt is taken to last before the first one has ended. */
const UNKNOWN_ATTEMPT_MS = 1_000
/** How long it is remembered how quick somebody's receivers were: a burst that follows comes as fast as they answer. */
const REMEMBERED_MS = 600_000
/** How much the latest attempt counts in the average. */
const LATEST_WEIGHT = 1 / 8

/** What came of a job: it ended, or was detached; or it had no slot, and may come again in so long. */
export type SlotOutcome = { kind: 'ended' | 'detached' } | { kind: 'full'; againInMs: number }

/**
 * Keeps slow receivers of one tenant from holding up the others: one that hangs for 15 seconds takes few slots, and none of
 * the worker's. Counted in each process by itself.
 */
export interface DeliverySlots {
  /**
   * Throws what `work` throws, unless it was detached: then its lease tells of its end, as after a crash.
   * @param work calls `mayDetach` once a lease is written down that tells of it; before that nothing but its job does
   */
  run: (tenantId: string, work: (mayDetach: () => void) => Promise<void>) => Promise<SlotOutcome>
  /** Waits until nothing is under way any more, but not longer. */
  idle: (timeoutMs: number) => Promise<void>
  /** Of how many it is remembered how quick their receivers are. */
  remembered: () => number
}

interface TenantSlots {
  taken: number
  waiting: Set<() => void>
  /** When the last rescheduled job comes again, in the milliseconds of `performance.now`. */
  lastBackoffMs: number
  /** How long an attempt lasted of late, on average; undefined before the first one has ended. */
  attemptMs: number | undefined
  /** When it was last asked for, in the same milliseconds. */
  askedMs: number
}

/** @param nowMs as `performance.now`, by which attempts and backoffs are timed */
export function deliverySlots(limits: SlotLimits = LIMITS, nowMs = () => performance.now()): DeliverySlots {
  const tenants = new Map<string, TenantSlots>()
  const underWay = new Set<Promise<void>>()
  let detached = 0
  let sweptMs = nowMs()

  const forgetIdle = (atMs: number): void => {
    if (atMs - sweptMs < REMEMBERED_MS) return
    sweptMs = atMs
    for (const [tenantId, { taken, lastBackoffMs, askedMs }] of tenants)
      // Nobody waits where no slot is taken; jobs that were put off come before the last one of them does.
      if (taken === 0 && Math.max(askedMs, lastBackoffMs) <= atMs - REMEMBERED_MS) tenants.delete(tenantId)
  }

  const slotsOf = (tenantId: string): TenantSlots => {
    const askedMs = nowMs()
    forgetIdle(askedMs)
    const known = tenants.get(tenantId)
    const slots = known ?? { taken: 0, waiting: new Set(), lastBackoffMs: 0, attemptMs: undefined, askedMs }
    slots.askedMs = askedMs
    tenants.set(tenantId, slots)
    return slots
  }

  const leave = (slots: TenantSlots): void => {
    const [next] = slots.waiting
    if (next) {
      slots.waiting.delete(next)
      next()
      return
    }
    slots.taken -= 1
  }

  async function detach(ended: Promise<void>, isLeased: Promise<void>): Promise<SlotOutcome> {
    await Promise.race([ended, isLeased])
    if (await endsWithin(ended, limits.detachAfterMs)) return { kind: 'ended' }
    if (detached >= limits.detachedMax) return ended.then(() => ({ kind: 'ended' }))
    detached += 1
    void ended.catch(() => undefined).finally(() => (detached -= 1))
    return { kind: 'detached' }
  }

  return {
    run: async (tenantId, work) => {
      const slots = slotsOf(tenantId)
      if (!(await takeSlot(slots, limits, nowMs())))
        return { kind: 'full', againInMs: nextBackoff(slots, limits, nowMs()) }
      const startedMs = nowMs()
      const leased = Promise.withResolvers<void>()
      const ended = work(leased.resolve).finally(() => {
        underWay.delete(ended)
        noteAttempt(slots, nowMs() - startedMs)
        leave(slots)
      })
      underWay.add(ended)
      return detach(ended, leased.promise)
    },
    remembered: () => tenants.size,
    idle: async (timeoutMs) => {
      await endsWithin(
        Promise.allSettled(underWay).then(() => undefined),
        timeoutMs,
      )
    },
  }
}

/** Whether a slot was free, or became so in time. No job waits where jobs of its tenant were rescheduled already. */
async function takeSlot(slots: TenantSlots, { perTenant, waitMs }: SlotLimits, nowMs: number): Promise<boolean> {
  if (slots.taken < perTenant) {
    slots.taken += 1
    return true
  }
  if (slots.lastBackoffMs > nowMs) return false
  return new Promise((resolve) => {
    const take = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    const timer = setTimeout(() => {
      slots.waiting.delete(take)
      resolve(false)
    }, waitMs)
    slots.waiting.add(take)
  })
}

function noteAttempt(slots: TenantSlots, durationMs: number): void {
  const { attemptMs = durationMs } = slots
  slots.attemptMs = attemptMs + (durationMs - attemptMs) * LATEST_WEIGHT
}

/**
 * Rescheduled jobs follow each other as fast as slots become free, so that many of them do not all come at once,
 * and a burst to a receiver that is quick is over as quickly.
 */
function nextBackoff(slots: TenantSlots, { perTenant }: SlotLimits, nowMs: number): number {
  const distanceMs = (slots.attemptMs ?? UNKNOWN_ATTEMPT_MS) / perTenant
  const backoffMs = Math.max(slots.lastBackoffMs + distanceMs, nowMs + BACKOFF_MS)
  slots.lastBackoffMs = Math.min(backoffMs, nowMs + BACKOFF_MAX_MS)
  return slots.lastBackoffMs - nowMs
}

/** Throws what `work` throws in that time. */
async function endsWithin(work: Promise<void>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false)
  })
  try {
    return await Promise.race([work.then(() => true), tooLong])
  } finally {
    clearTimeout(timer)
  }
}
