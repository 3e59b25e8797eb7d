/** Jobs that found no slot come again after this, one after the other, but not later than after the longest. */
const BACKOFF_MS = 1_000
/** Fifty thousand that wait come a hundred times a second in all, behind all other work; the shorter this is, the more often. */
const BACKOFF_MAX_MS = 600_000
/** How long an attempt is taken to last before the first one has ended. */
const UNKNOWN_ATTEMPT_MS = 1_000
/** How long it is remembered how quick somebody's receivers were: a burst that follows comes as fast as they answer. */
export const REMEMBERED_MS = 600_000
/** How much the latest attempt counts in the average. */
const LATEST_WEIGHT = 1 / 8

/** Slots of a tenant, or of an endpoint. */
export interface Slots {
  taken: number
  waiting: Set<() => void>
  /** When the job that was rescheduled last comes again, in the milliseconds of `performance.now`. */
  lastBackoffMs: number
  /** How long an attempt lasted of late, on average; undefined before the first one has ended. */
  attemptMs: number | undefined
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

/** The slots of tenants and endpoints by their ids; those that were not asked for lately are forgotten. */
export function rememberedSlots(nowMs: () => number): { slotsOf: (id: string) => Slots; remembered: () => number } {
  const known = new Map<string, Slots>()
  let sweptMs = nowMs()

  const forgetIdle = (atMs: number): void => {
    if (atMs - sweptMs < REMEMBERED_MS) return
    sweptMs = atMs
    for (const [id, { taken, lastBackoffMs, askedMs }] of known)
      // Nobody waits where no slot is taken; jobs that were put off come again within the longest backoff.
      if (taken === 0 && Math.max(askedMs, lastBackoffMs) <= atMs - REMEMBERED_MS) known.delete(id)
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
    ...{ taken: 0, waiting: new Set(), lastBackoffMs: 0, askedMs },
    ...{ attemptMs: undefined, slowMs: undefined, hungMs: undefined },
  }
}

/** Whether a slot was free, or became so in time. No job waits where jobs of its tenant were rescheduled already. */
export async function takeSlot({ slots, most }: Bound, waitMs: number, nowMs: number): Promise<boolean> {
  if (slots.taken < most()) {
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

/** Counts an attempt that has ended in the average of those of late. */
export function noteAttempt({ slots }: Bound, durationMs: number): void {
  const { attemptMs = durationMs } = slots
  slots.attemptMs = attemptMs + (durationMs - attemptMs) * LATEST_WEIGHT
}

/**
 * In how long a job that found no slot comes again. Such jobs follow each other as fast as slots become free, so that many
 * of them do not all come at once, and a burst to a receiver that is quick is over as quickly. Where they are more than that is
 * until the longest backoff, they follow each other anew from half of it on: they never all come at its end.
 */
export function nextBackoff({ slots, most }: Bound, nowMs: number): number {
  const distanceMs = (slots.attemptMs ?? UNKNOWN_ATTEMPT_MS) / most()
  const backoffMs = Math.max(slots.lastBackoffMs + distanceMs, nowMs + BACKOFF_MS)
  slots.lastBackoffMs = backoffMs > nowMs + BACKOFF_MAX_MS ? nowMs + BACKOFF_MAX_MS / 2 : backoffMs
  return slots.lastBackoffMs - nowMs
}
