/** How long after a job its row may still be there: its outcome is about to be written. */
const OUTCOME_MS = 30_000

/** The jobs that a worker runs, and has run just now. */
export interface RunningJobs {
  during: <T>(id: string, run: () => Promise<T>) => Promise<T>
  has: (id: string) => boolean
}

/** Knows the jobs of one worker. A job keeps its id over its tries, so the next one may run before the last is forgotten. */
export function openRunningJobs(): RunningJobs {
  const triesById = new Map<string, number>()
  const forget = (id: string): void => {
    const tries = (triesById.get(id) ?? 0) - 1
    if (tries > 0) triesById.set(id, tries)
    else triesById.delete(id)
  }
  return {
    during: async (id, run) => {
      triesById.set(id, (triesById.get(id) ?? 0) + 1)
      try {
        return await run()
      } finally {
        setTimeout(forget, OUTCOME_MS, id).unref()
      }
    },
    has: (id) => triesById.has(id),
  }
}
