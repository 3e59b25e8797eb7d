import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../kernel/log.js'

/** A part of the product that runs. */
export interface RunningPart {
  name: string
  /** How long its end is waited for, in milliseconds. */
  stopMs: number
  stop: () => Promise<void>
}

/** All of them together: a process that was told to stop is killed after ten seconds where it runs for others. */
export const STOP_ALL_MS = 9_000

/**
 * Ends all parts, the last one first. None keeps the others from ending: what takes too long or fails is left behind, and
 * ends with the process.
 * @param parts emptied by this, so that nothing is ended twice
 */
export async function stopParts(parts: RunningPart[], log: Logger): Promise<void> {
  const endsAt = performance.now() + STOP_ALL_MS
  for (const { name, stop, stopMs } of parts.splice(0).reverse()) {
    const stopped = stop().then(
      () => true,
      (error: unknown) => {
        log.warn({ part: name, err: error }, 'a part did not end as it should')
        return true
      },
    )
    const waitMs = Math.max(0, Math.min(stopMs, endsAt - performance.now()))
    const isStopped = await Promise.race([stopped, delay(waitMs, false, { ref: false })])
    if (!isStopped) log.warn({ part: name, waitMs: Math.round(waitMs) }, 'a part did not end in time')
  }
}
