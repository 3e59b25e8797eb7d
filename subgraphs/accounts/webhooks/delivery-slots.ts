import { attemptCounts, hungLately, timedFor, type Timed } from './late-receivers.js'
import { leave, nextBackoff, noteAttempt, rememberedSlots, takeSlot, type Bound, type Slots } from './slots.js'

/** How many attempts may be under way, and how long the worker waits for them. */
export interface SlotLimits {
  /** Attempts to the receivers of one tenant at once. */
  perTenant: number
  /** Of these, attempts to one registered endpoint. */
  perEndpoint?: number
  /** How long a job waits for a slot, where its tenant's receivers have been quick. */
  waitMs: number
  /** After this long an attempt is detached from the worker, which takes another job. */
  detachAfterMs: number
  /** Detached attempts, of all tenants. */
  detachedMax: number
  /** Attempts beyond them, each of which holds a place of the worker until it ends; the others stay for other work. */
  heldMax: number
  /** After this long without an answer a receiver is slow; 3 seconds unless a test says otherwise. */
  slowAfterMs?: number
}

/** Of registered endpoints, of which a tenant may have ten. */
export const ENDPOINT_LIMITS: SlotLimits = {
  ...{ perTenant: 16, perEndpoint: 4 },
  ...{ waitMs: 200, detachAfterMs: 1_000, detachedMax: 128, heldMax: 5 },
}

const LIMITS: SlotLimits = { perTenant: 8, waitMs: 200, detachAfterMs: 1_000, detachedMax: 128, heldMax: 5 }

/** What a tenant may have under way once half of all attempts are: few tenants leave something to all others. */
const CROWDED_PER_TENANT = 2
/** The same for a tenant whose receivers have hung of late. */
const CROWDED_PER_HUNG_TENANT = 1
/** A receiver that has not answered by then is slow. Quick ones take longer for a moment too, as when they start anew. */
const SLOW_AFTER_MS = 3_000

/** What came of a job: it ended, or was detached; or it had no slot, and may come again in so long. */
export type SlotOutcome = { kind: 'ended' | 'detached' } | { kind: 'full'; againInMs: number }

/** Whose receiver an attempt goes to. */
export interface SlotOwner {
  tenantId: string
  /** Where it goes to a registered endpoint. */
  endpointId?: string
}

/** The work of a job in a slot. */
export type SlotWork = (mayDetach: () => void, timed: Timed) => Promise<void>

/**
 * Keeps slow receivers of some tenants from holding up the others, and all other work of the worker: one that hangs for 15
 * seconds takes few slots, and none or few of the worker's places. Counted in each process by itself.
 */
export interface DeliverySlots {
  /**
   * Throws what `work` throws, unless it was detached: then its lease tells of its end, as after a crash.
   * @param work calls `mayDetach` once a lease is written down that tells of it; before that nothing but its job does. It makes each
   *   request through `timed`: how late a receiver is says its own answer, not how long the job takes, which may make many requests
   *   and waits for our database too
   */
  run: (owner: SlotOwner, work: SlotWork) => Promise<SlotOutcome>
  /** Waits until nothing is under way any more, but not longer. */
  idle: (timeoutMs: number) => Promise<void>
  /** Of how many tenants and endpoints it is remembered how quick their receivers are. */
  remembered: () => number
}

/** @param nowMs as `performance.now`, by which attempts and backoffs are timed */
export function deliverySlots(limits: SlotLimits = LIMITS, nowMs = () => performance.now()): DeliverySlots {
  const { slotsOf, remembered } = rememberedSlots(nowMs)
  const underWay = new Set<Promise<void>>()
  const counts = attemptCounts(limits.detachedMax + limits.heldMax, nowMs)
  let detached = 0

  const boundsOf = ({ tenantId, endpointId }: SlotOwner, ofTenant: Slots): [Bound, ...Bound[]] => {
    const mostWhenCrowded = (): number => (hungLately(ofTenant, nowMs()) ? CROWDED_PER_HUNG_TENANT : CROWDED_PER_TENANT)
    const tenantBound = {
      slots: ofTenant,
      most: () => (counts.isCrowded() ? Math.min(limits.perTenant, mostWhenCrowded()) : limits.perTenant),
    }
    if (endpointId === undefined) return [tenantBound]
    return [
      { slots: slotsOf(`${tenantId}:${endpointId}`), most: () => limits.perEndpoint ?? limits.perTenant },
      tenantBound,
    ]
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
    run: async (owner, work) => {
      const ofTenant = slotsOf(owner.tenantId)
      const bounds = boundsOf(owner, ofTenant)
      const attempt = counts.begin(ofTenant)
      const full = attempt ? await takeSlots(bounds, limits.waitMs, nowMs) : bounds[0]
      if (!attempt || full) {
        if (attempt) counts.end(attempt)
        return { kind: 'full', againInMs: nextBackoff(full ?? bounds[0], nowMs()) }
      }
      const startedMs = nowMs()
      const leased = Promise.withResolvers<void>()
      const timed = timedFor(counts, attempt, limits.slowAfterMs ?? SLOW_AFTER_MS)
      const ended = work(leased.resolve, timed).finally(() => {
        underWay.delete(ended)
        counts.end(attempt)
        for (const bound of bounds) {
          noteAttempt(bound, nowMs() - startedMs)
          leave(bound)
        }
      })
      underWay.add(ended)
      return detach(ended, leased.promise)
    },
    remembered,
    idle: async (timeoutMs) => {
      await endsWithin(
        Promise.allSettled(underWay).then(() => undefined),
        timeoutMs,
      )
    },
  }
}

/** Takes a slot at each bound. @returns the one that has none; then none is taken */
async function takeSlots(bounds: readonly Bound[], waitMs: number, nowMs: () => number): Promise<Bound | undefined> {
  for (const [index, bound] of bounds.entries()) {
    if (await takeSlot(bound, waitMs, nowMs())) continue
    bounds.slice(0, index).forEach(leave)
    return bound
  }
  return undefined
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
