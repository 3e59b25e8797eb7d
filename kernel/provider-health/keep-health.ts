import type { Clock } from '../clock.js'
import type { Queryable } from '../database.js'
import type { Logger } from '../log.js'
import { minuteOf, type CallRecorder } from './record-calls.js'
import { writeHealth } from './write-health.js'

export interface KeepHealthDeps {
  recorder: CallRecorder
  /** Tells this process from every other one, and from itself before it was started again. */
  processId: string
  pool: Queryable
  clock: Clock
  log: Pick<Logger, 'warn'>
}

/** How often it is looked whether the minute is over: the product's clock may be moved. */
const LOOK_MS = 1_000

/**
 * Writes down once a minute what was counted of the providers' calls. No call waits for it: where the database is away, what was counted
 * is kept and written later.
 * @returns what writes what is left, also of the minute that is not over, and ends it
 */
export function keepHealth({ recorder, processId, pool, clock, log }: KeepHealthDeps): () => Promise<void> {
  let writtenMs: number | undefined
  let underWay: Promise<void> | undefined
  let isFailing = false
  const write = async (): Promise<void> => {
    const now = clock.now()
    const minuteMs = minuteOf(now.getTime())
    writtenMs = minuteMs
    try {
      await writeHealth(pool, { processId, now }, recorder.read())
      recorder.forget(minuteMs)
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, "the providers' health could not be written down")
      isFailing = true
    }
  }
  const look = (): void => {
    if (underWay !== undefined || minuteOf(clock.now().getTime()) === writtenMs) return
    underWay = write().finally(() => (underWay = undefined))
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await underWay
    await write()
  }
}
