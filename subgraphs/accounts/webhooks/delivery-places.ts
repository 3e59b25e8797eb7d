/** How many attempts may be under way, and how long the worker waits for them. */
export interface PlaceLimits {
  /** Attempts to the receivers of one tenant at once; below the sockets that the guard has for one host. */
  perTenant: number
  /** How long a job waits for a place, where its tenant's receivers have been quick. */
  waitMs: number
  /** After this long an attempt goes on beside the worker, which takes another job. */
  leaveAfterMs: number
  /** Attempts that go on beside the worker, of all tenants. */
  besideMax: number
}

const LIMITS: PlaceLimits = { perTenant: 8, waitMs: 200, leaveAfterMs: 1_000, besideMax: 128 }

/** Jobs that found no place come again after this, each in a turn of its own, but not later than after the longest. */
const PUT_OFF_MS = 1_000
const PUT_OFF_MAX_MS = 60_000
/** How long an attempt is taken to last before the first one has ended. */
const UNKNOWN_ATTEMPT_MS = 1_000
/** How much the latest attempt counts in the average. */
const LATEST_WEIGHT = 1 / 8

/** What came of a job: it ended, or goes on beside the worker; or it had no place, and may come again in so long. */
export type PlaceOutcome = { kind: 'ended' | 'beside' } | { kind: 'full'; againInMs: number }

/**
 * Keeps receivers of one tenant from holding up everybody else's: whoever hangs for 15 seconds does so in few places, and
 * not in the worker's. Counted in each process by itself.
 */
export interface DeliveryPlaces {
  /**
   * Throws what `work` throws, unless it goes on beside the worker: then its lease tells of its end, as after a crash.
   * @param work calls `mayLeave` once a lease is written down that tells of it; before that nothing but its job does
   */
  run: (tenantId: string, work: (mayLeave: () => void) => Promise<void>) => Promise<PlaceOutcome>
  /** Waits until nothing is under way any more, but not longer. */
  idle: (timeoutMs: number) => Promise<void>
}

interface TenantPlaces {
  taken: number
  waiting: Set<() => void>
  /** When the last job that was put off comes again, in the milliseconds of `performance.now`. */
  lastTurnMs: number
  /** How long an attempt lasted of late, on average; undefined before the first one has ended. */
  attemptMs: number | undefined
}

export function deliveryPlaces(limits: PlaceLimits = LIMITS): DeliveryPlaces {
  // An entry is a hundred bytes, and is kept: how quick a tenant's receivers are is worth knowing at the next burst.
  const tenants = new Map<string, TenantPlaces>()
  const underWay = new Set<Promise<void>>()
  let beside = 0

  const placesOf = (tenantId: string): TenantPlaces => {
    const places = tenants.get(tenantId) ?? { taken: 0, waiting: new Set(), lastTurnMs: 0, attemptMs: undefined }
    tenants.set(tenantId, places)
    return places
  }

  const leave = (places: TenantPlaces): void => {
    const [next] = places.waiting
    if (next) {
      places.waiting.delete(next)
      next()
      return
    }
    places.taken -= 1
  }

  async function goBeside(ended: Promise<void>, isLeased: Promise<void>): Promise<PlaceOutcome> {
    await Promise.race([ended, isLeased])
    if (await endsWithin(ended, limits.leaveAfterMs)) return { kind: 'ended' }
    if (beside >= limits.besideMax) return ended.then(() => ({ kind: 'ended' }))
    beside += 1
    void ended
      .catch(() => undefined)
      .finally(() => {
        beside -= 1
      })
    return { kind: 'beside' }
  }

  return {
    run: async (tenantId, work) => {
      const places = placesOf(tenantId)
      if (!(await takePlace(places, limits))) return { kind: 'full', againInMs: nextTurn(places, limits) }
      const startedMs = performance.now()
      const leased = Promise.withResolvers<void>()
      const ended = work(leased.resolve).finally(() => {
        underWay.delete(ended)
        noteAttempt(places, performance.now() - startedMs)
        leave(places)
      })
      underWay.add(ended)
      return goBeside(ended, leased.promise)
    },
    idle: async (timeoutMs) => {
      await endsWithin(
        Promise.allSettled(underWay).then(() => undefined),
        timeoutMs,
      )
    },
  }
}

/** Whether a place was free, or became so in time. Nobody waits for a tenant whose jobs have been put off already. */
async function takePlace(places: TenantPlaces, { perTenant, waitMs }: PlaceLimits): Promise<boolean> {
  if (places.taken < perTenant) {
    places.taken += 1
    return true
  }
  if (places.lastTurnMs > performance.now()) return false
  return new Promise((resolve) => {
    const take = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    const timer = setTimeout(() => {
      places.waiting.delete(take)
      resolve(false)
    }, waitMs)
    places.waiting.add(take)
  })
}

function noteAttempt(places: TenantPlaces, durationMs: number): void {
  const { attemptMs = durationMs } = places
  places.attemptMs = attemptMs + (durationMs - attemptMs) * LATEST_WEIGHT
}

/**
 * Turns follow each other as fast as the places become free, so that many jobs that were put off do not all come at once,
 * and a burst to a receiver that is quick is over as quickly.
 */
function nextTurn(places: TenantPlaces, { perTenant }: PlaceLimits): number {
  const nowMs = performance.now()
  const distanceMs = (places.attemptMs ?? UNKNOWN_ATTEMPT_MS) / perTenant
  const turnMs = Math.max(places.lastTurnMs + distanceMs, nowMs + PUT_OFF_MS)
  places.lastTurnMs = Math.min(turnMs, nowMs + PUT_OFF_MAX_MS)
  return places.lastTurnMs - nowMs
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
