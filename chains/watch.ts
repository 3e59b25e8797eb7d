import { AppError } from '../kernel/errors.js'
import type { Logger } from '../kernel/log.js'

/** What a look at several transactions of one chain shows; those that are in neither are in no block that was seen. */
export interface Looked<Seen> {
  /** Those that have come to an end. */
  ended: ReadonlyMap<string, Seen>
  /** Those in a block that is too young. */
  confirming: ReadonlySet<string>
}

/** Looks at once for several transactions of one chain. */
export type LookFor<Seen> = (hashes: readonly string[]) => Promise<Looked<Seen>>

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

/**
 * The watch over one chain: one look for all who wait. It looks by itself while somebody waits for a transaction, and otherwise
 * when it is asked.
 */
export interface ChainWatch<Seen> {
  start: (hash: string) => WatchedTransaction
  /** The end of a transaction that is watched, as the newest look has shown it; undefined where it has not, or was too long ago. */
  seen: (hash: string) => Seen | undefined
  /**
   * Looks for one transaction together with all that are watched or were asked for. What was looked for within one interval is not looked
   * for again; what is new to the watch is, at once. Who asks again and again costs no call of his own: the transaction is kept between two times.
   * @returns its end; `confirming` where a block has it that is too young; undefined where no block has it that was seen, or
   *   nobody could look
   */
  look: (hash: string) => Promise<Seen | 'confirming' | undefined>
}

interface Watched<Seen> {
  watchers: number
  /** Until when it is kept for those who ask again, by the runtime's time. */
  keptUntilMs: number
  /** When the newest look began that could see it, by the runtime's time. */
  lookedAtMs: number
  seen: Seen | undefined
  isConfirming: boolean
  listeners: Set<() => void>
}

/** What a watch runs by. */
export interface WatchRuntime {
  /** Waits so many milliseconds. */
  delay: (ms: number) => Promise<void>
  /** The time, in milliseconds, of a clock that never goes back. */
  nowMs: () => number
  log: Pick<Logger, 'error'>
}

/** Twice as long as the longest time between two looks of one job. */
const KEPT_MS = 600_000
/** What has come to an end is asked for once more, and by nobody where another process was faster. */
const KEPT_ENDED_MS = 60_000
/** A chain may have dropped since then what a look has shown. */
const STALE_AFTER_MS = 30_000

/**
 * Makes a chain's watch. A look that fails is repeated after the next interval; those who wait end by their own time.
 * @param options.pollMs between two looks, in milliseconds
 */
export function createChainWatch<Seen>(
  options: { look: LookFor<Seen>; pollMs: number },
  runtime: WatchRuntime,
): ChainWatch<Seen> {
  const { delay, nowMs } = runtime
  const all = new Map<string, Watched<Seen>>()
  let waiting = 0
  let isRunning = false

  const lookSoon = oneAtATime(() => lookOnce(all, options.look, runtime))
  const run = async (): Promise<void> => {
    while (waiting > 0) {
      await lookSoon()
      await delay(options.pollMs)
    }
    isRunning = false
  }
  const watchedOf = (hash: string): Watched<Seen> => {
    const watched = all.get(hash) ?? unseen<Seen>()
    all.set(hash, watched)
    return watched
  }
  const start = (hash: string): WatchedTransaction => {
    const watched = watchedOf(hash)
    watched.watchers += 1
    waiting += 1
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
        waiting -= 1
        if (isOver(watched, nowMs())) all.delete(hash)
      },
    }
  }
  const look = async (hash: string): Promise<Seen | 'confirming' | undefined> => {
    const watched = watchedOf(hash)
    const askedAtMs = nowMs()
    watched.keptUntilMs = askedAtMs + KEPT_MS
    if (askedAtMs - watched.lookedAtMs >= options.pollMs) {
      await lookSoon()
      // It failed: what an older one has shown says nothing of now.
      if (watched.lookedAtMs < askedAtMs) return undefined
    }
    return watched.seen ?? (watched.isConfirming ? 'confirming' : undefined)
  }
  const seen = (hash: string): Seen | undefined => {
    const watched = all.get(hash)
    return watched && nowMs() - watched.lookedAtMs <= STALE_AFTER_MS ? watched.seen : undefined
  }
  return { start, look, seen }
}

function unseen<Seen>(): Watched<Seen> {
  const nothing = { lookedAtMs: -Infinity, seen: undefined, isConfirming: false }
  return { watchers: 0, keptUntilMs: -Infinity, ...nothing, listeners: new Set() }
}

/** Whether nobody waits for a transaction, and nobody is expected to ask for it again. */
function isOver({ watchers, keptUntilMs }: Watched<unknown>, nowMs: number): boolean {
  return watchers === 0 && keptUntilMs <= nowMs
}

/** Looks for all, and notes what that shows; one that fails leaves everything as it was. */
async function lookOnce<Seen>(
  all: Map<string, Watched<Seen>>,
  look: LookFor<Seen>,
  { nowMs, log }: Pick<WatchRuntime, 'nowMs' | 'log'>,
): Promise<void> {
  const atMs = nowMs()
  for (const [hash, one] of all) if (isOver(one, atMs)) all.delete(hash)
  const hashes = [...all.keys()]
  const looked = await look(hashes).catch((error: unknown) => {
    if (!(error instanceof AppError)) log.error({ err: error }, 'a chain could not be watched')
    return undefined
  })
  if (!looked) return
  for (const hash of hashes) {
    const watched = all.get(hash)
    if (!watched) continue
    watched.lookedAtMs = atMs
    watched.seen = looked.ended.get(hash)
    watched.isConfirming = looked.confirming.has(hash)
    if (watched.seen === undefined) continue
    watched.keptUntilMs = Math.min(watched.keptUntilMs, atMs + KEPT_ENDED_MS)
    for (const listener of watched.listeners) listener()
  }
}

/** Runs some work for all who ask while it has not begun: who asks while it runs waits for one more run, which all of these share. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const begin = (): Promise<void> => {
    next = undefined
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (next) return next
    if (!running) return begin()
    next = running.then(begin)
    return next
  }
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
