import { AppError } from '../kernel/errors.js'
import type { Logger } from '../kernel/log.js'

/** Looks at once for several transactions of one chain. Gives what has come to an end; the others are left out. */
export type LookFor<Seen> = (hashes: readonly string[]) => Promise<ReadonlyMap<string, Seen>>

/** A transaction that somebody waits for. */
export interface WatchedTransaction {
  /**
   * Waits for the next look that shows the transaction's end.
   * @param timeoutMs how long at most, in milliseconds
   * @returns whether there was one
   */
  next: (timeoutMs: number) => Promise<boolean>
  /** Ends the watching; has to be called. */
  stop: () => void
}

/** The watch over one chain: one loop for all who wait, which runs only while somebody does. */
export interface ChainWatch<Seen> {
  start: (hash: string) => WatchedTransaction
  /** What the newest look has shown of a transaction that is watched; undefined where nothing yet. */
  seen: (hash: string) => Seen | undefined
}

interface Watched<Seen> {
  watchers: number
  seen: Seen | undefined
  listeners: Set<() => void>
}

/** What a watch runs by. */
export interface WatchRuntime {
  /** Waits so many milliseconds. */
  delay: (ms: number) => Promise<void>
  /** The time, in milliseconds. */
  nowMs: () => number
  log: Pick<Logger, 'error'>
}

/**
 * Makes a chain's watch. A look that fails is repeated after the next interval; those who wait end by their own time.
 * @param options.pollMs between two looks, in milliseconds
 */
export function createChainWatch<Seen>(
  options: { look: LookFor<Seen>; pollMs: number },
  { delay, log }: Pick<WatchRuntime, 'delay' | 'log'>,
): ChainWatch<Seen> {
  const all = new Map<string, Watched<Seen>>()
  let isRunning = false

  const lookOnce = async (): Promise<void> => {
    const seen = await options.look([...all.keys()]).catch((error: unknown) => {
      if (!(error instanceof AppError)) log.error({ err: error }, 'a chain could not be watched')
      return undefined
    })
    if (!seen) return
    for (const [hash, watched] of all) {
      watched.seen = seen.get(hash)
      if (watched.seen !== undefined) for (const listener of watched.listeners) listener()
    }
  }
  const run = async (): Promise<void> => {
    while (all.size > 0) {
      await lookOnce()
      await delay(options.pollMs)
    }
    isRunning = false
  }
  const start = (hash: string): WatchedTransaction => {
    const watched = all.get(hash) ?? { watchers: 0, seen: undefined, listeners: new Set() }
    watched.watchers += 1
    all.set(hash, watched)
    if (!isRunning) {
      isRunning = true
      void run()
    }
    let isStopped = false
    return {
      next: (timeoutMs) => nextOf(watched, timeoutMs),
      stop: () => {
        if (isStopped) return
        isStopped = true
        watched.watchers -= 1
        if (watched.watchers === 0) all.delete(hash)
      },
    }
  }
  return { start, seen: (hash) => all.get(hash)?.seen }
}

function nextOf(watched: Watched<unknown>, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const listener = (): void => resolve(true)
  watched.listeners.add(listener)
  const timer = setTimeout(() => resolve(false), timeoutMs)
  return promise.finally(() => {
    clearTimeout(timer)
    watched.listeners.delete(listener)
  })
}
