import { freeAt, mayBeLeft, SCOUT_MS, type Bound, type Slots } from './slots.js'

/** Whose jobs wait: of a registered endpoint, or of the contract's address. */
interface Owner {
  tenantId: string
  endpointId?: string
}

/**
 * Has the first of somebody's jobs that were put off come in so many milliseconds: so many at most, those included that come by then
 * anyway.
 * @returns how many there are of these
 */
export type BringForward = (owner: Owner, count: number, inMs: number) => Promise<number>

/** What is known of an owner's slots. */
interface Standing {
  bounds: readonly [Bound, ...Bound[]]
  ofTenant: Slots
  /** Whether slots that become free are for the owner's own jobs. */
  mayHandOn: boolean
}

/**
 * Brings jobs that were put off forward as slots become free, so that what they cost follows the slots, and not how many of them there
 * are. What fails, or is lost with the process, the next end of an attempt does, or the job that comes again soon.
 */
export function bringsForward(nowMs: () => number, standingOf: (owner: Owner) => Standing) {
  const underWay = new Map<Slots, Promise<void>>()
  /** Owners whose slots became free while they were looked after. */
  const again = new Set<Slots>()

  async function look(owner: Owner, bringForward: BringForward): Promise<void> {
    const { bounds, ofTenant, mayHandOn } = standingOf(owner)
    const [{ slots }] = bounds
    let free = freeAt(bounds)
    const [crowdedOut] = ofTenant.crowdedOut
    if (free > 0 && crowdedOut !== undefined) {
      ofTenant.crowdedOut.delete(crowdedOut)
      if ((await bringForward({ ...owner, endpointId: crowdedOut }, 1, 0)) > 0) free -= 1
    }
    if (!mayBeLeft(slots, nowMs())) return
    // What is put off from here on may not be seen any more.
    slots.noneLeftMs = nowMs()
    // Where none is for them now, one of them comes soon: this may have been the last attempt under way.
    const found = mayHandOn && free > 0 ? bringForward(owner, free, 0) : bringForward(owner, 1, SCOUT_MS)
    if ((await found) > 0) slots.noneLeftMs = undefined
  }

  function afterAttempt(owner: Owner, bringForward: BringForward): void {
    const [{ slots }] = standingOf(owner).bounds
    if (underWay.has(slots)) {
      again.add(slots)
      return
    }
    const looking = look(owner, bringForward)
      .catch(() => void (slots.noneLeftMs = undefined))
      .finally(() => {
        underWay.delete(slots)
        if (again.delete(slots)) afterAttempt(owner, bringForward)
      })
    underWay.set(slots, looking)
  }

  return {
    afterAttempt,

    afterPutOff: (owner: Owner, bringForward: BringForward): void => {
      const { bounds } = standingOf(owner)
      bounds[0].slots.noneLeftMs = undefined
      if (freeAt(bounds) > 0) afterAttempt(owner, bringForward)
    },

    idle: async (): Promise<void> => {
      while (underWay.size > 0) await Promise.all(underWay.values())
    },
  }
}
