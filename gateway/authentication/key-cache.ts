import { recentlyUsed } from '../../kernel/recently-used.js'
import type { Clock } from '../../kernel/clock.js'

/** How long an answer counts. Revocation is effective within 5 seconds; the look-up itself gets the fifth. */
const LIFE_MS = 4_000

/** What a look-up found out about a valid key. */
export interface CachedKey<Value> {
  value: Value
  /** When the key expires, in milliseconds since 1970; Infinity for never. */
  expiresAtMs: number
}

export interface KeyCacheOptions<Value> {
  /** Looks a key's hash up; null where there is no such key, or it is expired or revoked. */
  load: (hash: string) => Promise<CachedKey<Value> | null>
  clock: Clock
  maxKnown: number
  /** Hashes of no key are kept apart, so that a flood of them cannot push out those of keys. */
  maxUnknown: number
}

export interface KeyCache<Value> {
  /**
   * The status of a key: at once when it was looked up within the last 4 seconds, otherwise a promise. A look-up that
   * fails rejects, and nothing is remembered of it: a failure neither lets in nor turns away.
   */
  get(hash: string): Value | null | Promise<Value | null>
  /** Of the hash of a valid key, what the last look-up found, however long ago; undefined where it found none. */
  lastKnown(hash: string): Value | undefined
  /** The look-up of a hash that `get` would share, if one is under way. */
  underWay(hash: string): Promise<Value | null> | undefined
  /** Whether the hash was found to be of no valid key within the last 4 seconds, so that it need not be looked up. */
  isUnknown(hash: string): boolean
}

interface Entry<Value> extends CachedKey<Value> {
  /**
   * When the look-up began, by the steady clock: what it says is not newer than that. By the machine's time it would count for as long as that
   * is set back.
   */
  asOfMs: number
}

/** The status of keys by hash, looked up at most once per 4 seconds and at most once at the same time. */
export function keyCache<Value>(options: KeyCacheOptions<Value>): KeyCache<Value> {
  const { load, clock } = options
  const known = recentlyUsed<string, Entry<Value>>(options.maxKnown)
  const unknown = recentlyUsed<string, { asOfMs: number }>(options.maxUnknown)
  const running = new Map<string, { asOfMs: number; answer: Promise<Value | null> }>()

  async function lookUp(hash: string, asOfMs: number): Promise<Value | null> {
    try {
      const status = await load(hash)
      if (status === null) {
        known.delete(hash)
        unknown.set(hash, { asOfMs })
        return null
      }
      unknown.delete(hash)
      known.set(hash, { ...status, asOfMs })
      return status.expiresAtMs > clock.now().getTime() ? status.value : null
    } finally {
      if (running.get(hash)?.asOfMs === asOfMs) running.delete(hash)
    }
  }

  const isFresh = (asOfMs: number): boolean => clock.steadyMs() - asOfMs < LIFE_MS

  function underWay(hash: string): Promise<Value | null> | undefined {
    const inFlight = running.get(hash)
    return inFlight && isFresh(inFlight.asOfMs) ? inFlight.answer : undefined
  }

  return {
    underWay,
    isUnknown(hash) {
      const nothing = unknown.peek(hash)
      return nothing !== undefined && isFresh(nothing.asOfMs)
    },
    lastKnown: (hash) => known.peek(hash)?.value,
    get(hash) {
      const entry = known.get(hash)
      if (entry && isFresh(entry.asOfMs)) return entry.expiresAtMs > clock.now().getTime() ? entry.value : null
      const nothing = unknown.get(hash)
      if (nothing && isFresh(nothing.asOfMs)) return null
      const shared = underWay(hash)
      if (shared) return shared
      const asOfMs = clock.steadyMs()
      const answer = lookUp(hash, asOfMs)
      running.set(hash, { asOfMs, answer })
      return answer
    },
  }
}
