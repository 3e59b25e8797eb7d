/** One of the jobs that found no slot, the scout, comes again after this: where none is under way whose end would bring them forward. */
export const SCOUT_MS = 10_000
/** All others come again after this at the latest: they are brought forward as slots become free. */
const LEFT_MS = 3_600_000
/** After this it is not trusted any more that no job waits: another process may have put some off. */
const LOOKED_FOR_MS = 60_000
/** How long it is remembered how late somebody's receivers were. */
export const REMEMBERED_MS = 600_000

/** Slots of a tenant, or of an endpoint. */
export interface Slots {
  taken: number
  waiting: Set<() => void>
  /** When the scout comes, in the milliseconds of `performance.now`. */
  scoutMs: number
  /** When it was last found that no job waits that was put off, in the same milliseconds; undefined where some may. */
  noneLeftMs: number | undefined
  /** The endpoints of a tenant whose jobs found none of the tenant's slots: each is given one in its turn. */
  crowdedOut: Set<string>
  /** When a receiver last turned out to be so late, in the same milliseconds; undefined where none did. */
  slowMs: number | undefined
  hungMs: number | undefined
  /** When it was last asked for, in the same milliseconds. */
  askedMs: number
}

/** The slots of a tenant or of an endpoint, and how many of them may be taken now. */
export interface Bound {
  slots: Slots
  most: () => number
}

/** When a job that found no slot comes again. */
export interface PutOff {
  inMs: number
  isScout: boolean
}

/** The slots of tenants and endpoints by their ids; those that were not asked for lately are forgotten. */
export function rememberedSlots(nowMs: () => number): { slotsOf: (id: string) => Slots; remembered: () => number } {
  const known = new Map<string, Slots>()
  let sweptMs = nowMs()

  const forgetIdle = (atMs: number): void => {
    if (atMs - sweptMs < REMEMBERED_MS) return
    sweptMs = atMs
    for (const [id, { taken, askedMs }] of known)
      // Nobody waits where no slot is taken.
      if (taken === 0 && askedMs <= atMs - REMEMBERED_MS) known.delete(id)
  }

  return {
    slotsOf: (id) => {
      const askedMs = nowMs()
      forgetIdle(askedMs)
      const slots = known.get(id) ?? newSlots(askedMs)
      slots.askedMs = askedMs
      known.set(id, slots)
      return slots
    },
    remembered: () => known.size,
  }
}

function newSlots(askedMs: number): Slots {
  return {
    ...{ taken: 0, waiting: new Set(), crowdedOut: new Set(), scoutMs: -Infinity, noneLeftMs: undefined },
    ...{ slowMs: undefined, hungMs: undefined, askedMs },
  }
}

/** Whether a slot was free, or became so in time. No job waits where jobs of its tenant were put off already. */
export async function takeSlot({ slots, most }: Bound, waitMs: number, nowMs: number): Promise<boolean> {
  if (slots.taken < most()) {
    slots.taken += 1
    return true
  }
  if (slots.scoutMs > nowMs) return false
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

/** Gives a slot to the job that waits longest, unless fewer may be taken by now. */
export function leave({ slots, most }: Bound): void {
  const [next] = slots.waiting
  if (next && slots.taken <= most()) {
    slots.waiting.delete(next)
    next()
    return
  }
  slots.taken -= 1
}

/** How many slots are free at all bounds. */
export function freeAt(bounds: readonly Bound[]): number {
  return Math.max(0, Math.min(...bounds.map(({ slots, most }) => most() - slots.taken)))
}

/**
 * When a job that found no slot comes again. However many there are, one of them comes soon; it stays the one, whichever process it
 * comes to, so that none of several takes another's for lost.
 */
export function putOff(slots: Slots, wasScout: boolean, nowMs: number): PutOff {
  const isScout = wasScout || slots.scoutMs <= nowMs
  if (isScout) slots.scoutMs = nowMs + SCOUT_MS
  return { inMs: isScout ? SCOUT_MS : LEFT_MS, isScout }
}

/** Whether jobs may wait that were put off. */
export function mayBeLeft({ noneLeftMs }: Slots, nowMs: number): boolean {
  return noneLeftMs === undefined || noneLeftMs <= nowMs - LOOKED_FOR_MS
}
