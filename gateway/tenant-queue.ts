import { AppError } from '../kernel/errors.js'

/** How many large operations of one tenant run at once in a process. */
const RUNNING_MAX = 4
/** How many of them wait; more are refused. */
const WAITING_MAX = 100

/** Runs operations, a few of each tenant at once; the others wait in their tenant's own queue, first come, first served. */
export interface TenantQueue {
  /**
   * Runs the work once the tenant has a place for it.
   * @throws too_many_operations where the tenant's queue is full, and whatever the work throws
   */
  run<T>(tenantId: string | null, work: () => Promise<T>): Promise<T>
  /** Tenants that have something running or waiting; others take no memory. */
  readonly size: number
}

interface Place {
  running: number
  waiting: (() => void)[]
}

/**
 * Empty queues. A tenant that asks for much waits for itself alone: no other ever stands behind it, and what runs of it at
 * once is bounded, so that another's request waits for a few operations at most.
 */
export function tenantQueue(limits = { running: RUNNING_MAX, waiting: WAITING_MAX }): TenantQueue {
  const places = new Map<string | null, Place>()

  /** Gives the place to who waits longest; nobody else can take it in between. */
  function leave(tenantId: string | null, place: Place): void {
    const next = place.waiting.shift()
    if (next) {
      next()
      return
    }
    place.running -= 1
    if (place.running === 0) places.delete(tenantId)
  }

  return {
    async run(tenantId, work) {
      const place = places.get(tenantId) ?? { running: 0, waiting: [] }
      if (place.running >= limits.running) {
        if (place.waiting.length >= limits.waiting) throw new AppError('too_many_operations')
        await new Promise<void>((resolve) => {
          place.waiting.push(resolve)
        })
      } else {
        places.set(tenantId, place)
        place.running += 1
      }
      try {
        return await work()
      } finally {
        leave(tenantId, place)
      }
    },
    get size() {
      return places.size
    },
  }
}
