import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/log.js'
import type { RateCounts } from './store/rate-counts.js'
import { bySecond, dropLeft, slidingLog, type SlidingLog } from './sliding-log.js'

/** What a process knows of one key. */
export interface KeyRate {
  key: string
  /** The requests that this process let in. */
  own: SlidingLog
  /** Those that the other processes let in, as of the last sync. */
  others: SlidingLog
  /** How many other processes had requests of this key in the window. */
  otherProcesses: number
  /** Let in since the last sync that is known to have arrived. */
  unacknowledged: number
}

/** Where processes meet, and which keys are worth telling each other about. */
export interface RateShare {
  counts: RateCounts
  log: Logger
}

/** Shares the counts between processes, in batches. */
export interface RateLimitSync {
  /** Puts a key into the next sync, which is at most a quarter of a second away. */
  soon(rate: KeyRate): void
  /** Syncs a key now; resolves when that has arrived or failed, never rejects. */
  settle(rate: KeyRate): Promise<void>
  /** Whether the last sync arrived. While none does, each process keeps the limit by itself instead of waiting. */
  works(): boolean
  close(): Promise<void>
}

const INTERVAL_MS = 250
/** An answer that takes longer is a failure: requests wait for it. */
const TIMEOUT_MS = 2_000
const CLEAN_EVERY = 240

/** One sync at a time: it tells all keys that had requests since the last one, and learns what the others let in. */
export function rateLimitSync({ counts, log }: RateShare, clock: Clock): RateLimitSync {
  const waiting = new Map<string, KeyRate>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let working = true
  let syncs = 0

  async function sync(): Promise<void> {
    // Processes agree on the time of day only, each on its own steady clock: what they tell each other is translated.
    const nowMs = clock.now().getTime()
    const steadyMs = Math.floor(clock.steadyMs())
    const aheadMs = nowMs - steadyMs
    const batch = [...waiting.values()].map((rate) => ({ rate, sent: rate.unacknowledged }))
    waiting.clear()
    for (const { rate } of batch) dropLeft(rate.own, steadyMs)
    try {
      const own = batch.map(({ rate }) => ({ key: rate.key, seconds: shifted(bySecond(rate.own), aheadMs) }))
      const others = await withinTime(counts.sync(own, nowMs))
      for (const { rate, sent } of batch) {
        rate.unacknowledged -= sent
        learn(
          rate,
          (others.get(rate.key) ?? []).map((runs) => shifted(runs, -aheadMs)),
        )
      }
      if (!working) log.info('rate counts are shared between processes again')
      working = true
      if (syncs++ % CLEAN_EVERY === 0) await withinTime(counts.clean(nowMs))
    } catch (error) {
      if (working) log.warn({ err: error }, 'rate counts cannot be shared; each process keeps the limit by itself')
      working = false
      for (const { rate } of batch) {
        if (rate.own.total > 0 && !waiting.has(rate.key)) waiting.set(rate.key, rate)
      }
    }
  }

  function now(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    running ??= sync().finally(() => {
      running = undefined
      if (waiting.size > 0) later()
    })
    return running
  }

  function later(): void {
    timer ??= setTimeout(() => void now(), INTERVAL_MS).unref()
  }

  return {
    works: () => working,
    soon(rate) {
      waiting.set(rate.key, rate)
      if (!running) later()
    },
    settle(rate) {
      waiting.set(rate.key, rate)
      return now()
    },
    async close() {
      await running
      if (waiting.size > 0) await now()
      clearTimeout(timer)
    },
  }
}

/** Runs with their instants on another clock. */
function shifted(
  runs: readonly (readonly [leavesAtMs: number, count: number])[],
  byMs: number,
): [leavesAtMs: number, count: number][] {
  return runs.map(([leavesAtMs, count]) => [leavesAtMs + byMs, count])
}

/** Replaces what was known of the other processes: every sync tells the whole window, so nothing can be missed. */
function learn(rate: KeyRate, others: readonly [leavesAtMs: number, count: number][][]): void {
  rate.others = slidingLog(others.flat().sort(([one], [other]) => one - other))
  rate.otherProcesses = others.length
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
