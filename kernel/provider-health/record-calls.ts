import type { Clock } from '../clock.js'
import { bucketOf, noDurations, type Durations } from './durations.js'
import { providerChannel, type ProviderCall, type ProviderFailure, type WatchedProvider } from './provider-calls.js'

/** What one process has seen of a provider. */
export interface SeenProvider extends WatchedProvider {
  /** Whether its last call was answered; undefined before the first. */
  state: 'answering' | 'failing' | undefined
  /** Since when, in milliseconds of the epoch as all times here. */
  sinceMs: number | undefined
  lastAnswerMs: number | undefined
  lastFailureMs: number | undefined
  lastFailure: ProviderFailure | undefined
}

/** The calls of a provider in a minute. */
export interface ProviderMinute extends WatchedProvider {
  /** When the minute began. */
  minuteMs: number
  calls: number
  failures: number
  slowestMs: number
  durations: Durations
}

/** What a process knows of its providers' calls. */
export interface CallRecorder {
  /** All providers, and the minutes that were not written yet; of one that still runs, what was counted so far. */
  read: () => { providers: SeenProvider[]; minutes: ProviderMinute[] }
  /** Forgets minutes before this one: they are written. */
  forget: (beforeMs: number) => void
  /** Listens no more. */
  close: () => void
}

const MINUTE_MS = 60_000
/** Where nothing can be written for long, what is older than is shown is let go. */
const MINUTES_KEPT = 60

interface Kept {
  seen: SeenProvider
  minutes: Map<number, ProviderMinute>
}

/** The minute that a time is in. */
export function minuteOf(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS
}

/** Counts this process's calls of providers in memory, by minutes of the product's clock. */
export function recordCalls(clock: Clock): CallRecorder {
  const kept = new Map<string, Kept>()
  let newestMs = 0
  const of = (watched: WatchedProvider): Kept => {
    const key = `${watched.provider} ${watched.chain} ${watched.host}`
    const found = kept.get(key)
    if (found) return found
    const added = { seen: { ...watched, ...UNSEEN }, minutes: new Map<number, ProviderMinute>() }
    kept.set(key, added)
    return added
  }
  const onMessage = (message: unknown): void => {
    if (!isCall(message)) {
      of(message as WatchedProvider)
      return
    }
    // A clock that was set back must not open a minute again that is written.
    const nowMs = (newestMs = Math.max(newestMs, clock.now().getTime()))
    count(of(message.watched), message, nowMs)
  }
  providerChannel.subscribe(onMessage)
  return {
    read: () => ({
      providers: [...kept.values()].map(({ seen }) => ({ ...seen })),
      minutes: [...kept.values()].flatMap(({ minutes }) => [...minutes.values()]),
    }),
    forget: (beforeMs) => {
      for (const { minutes } of kept.values()) {
        for (const minuteMs of minutes.keys()) if (minuteMs < beforeMs) minutes.delete(minuteMs)
      }
    },
    close: () => {
      providerChannel.unsubscribe(onMessage)
    },
  }
}

const UNSEEN = {
  state: undefined,
  sinceMs: undefined,
  lastAnswerMs: undefined,
  lastFailureMs: undefined,
  lastFailure: undefined,
} as const

function isCall(message: unknown): message is ProviderCall {
  return typeof message === 'object' && message !== null && 'durationMs' in message
}

function count({ seen, minutes }: Kept, { failure, durationMs, count: calls }: ProviderCall, nowMs: number): void {
  const state = failure === undefined ? 'answering' : 'failing'
  if (seen.state !== state) Object.assign(seen, { state, sinceMs: nowMs })
  if (failure === undefined) seen.lastAnswerMs = nowMs
  else Object.assign(seen, { lastFailureMs: nowMs, lastFailure: failure })
  const minute = minuteAt(seen, minutes, minuteOf(nowMs))
  const bucket = bucketOf(durationMs)
  minute.calls += calls
  if (failure !== undefined) minute.failures += calls
  minute.slowestMs = Math.max(minute.slowestMs, Math.round(durationMs))
  minute.durations[bucket] = (minute.durations[bucket] ?? 0) + calls
}

function minuteAt(
  { provider, chain, host }: SeenProvider,
  minutes: Map<number, ProviderMinute>,
  minuteMs: number,
): ProviderMinute {
  const found = minutes.get(minuteMs)
  if (found) return found
  const figures = { calls: 0, failures: 0, slowestMs: 0, durations: noDurations() }
  const added = { provider, chain, host, minuteMs, ...figures }
  minutes.set(minuteMs, added)
  const [oldest] = minutes.keys()
  if (minutes.size > MINUTES_KEPT && oldest !== undefined) minutes.delete(oldest)
  return added
}
