import type { Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/log.js'
import { isPromise, type PromiseOrValue } from '../../../kernel/promise-or-value.js'
import type { ProviderName } from '../providers/provider.js'
import type { MarketNow, MarketsRead } from './read-markets.js'

/** What is known of one provider's markets; the same object until something else is known. */
export interface ProviderMarkets {
  provider: ProviderName
  /** Undefined where they were never read. */
  markets: readonly MarketNow[] | undefined
  readAt: Date | undefined
  /** The symbols of those that could not be read then; of such, older figures are kept where there are any. */
  unread: readonly string[]
  /** Whether the last attempt to read them failed. */
  isDown: boolean
}

/** The markets of all providers, kept for a time. */
export interface StrategiesCache {
  /** What is known of every provider; read first, and so a promise, where nothing is known or it is far too old. Never throws. */
  read: () => PromiseOrValue<ProviderMarkets[]>
}

interface Entry {
  known: ProviderMarkets
  refreshing: Promise<void> | undefined
}

/** A market that could not be read is tried again after this time, if the others' figures live longer. */
const UNREAD_RETRY_MS = 15_000

/** Twice the time to live: older than that, a caller waits for the new figures as long as they can be had. */
const WAIT_AFTER_TTLS = 2

/**
 * A cache of each provider's markets. Figures older than the time to live are served once more while they are read anew,
 * one read at a time; while a provider is down, its old ones are still served. A clock that was set back ages them as one that was set
 * forward does.
 */
export function strategiesCache(options: {
  providers: readonly ProviderName[]
  /** @param last what was known of its markets before */
  load: (provider: ProviderName, last: readonly MarketNow[]) => Promise<MarketsRead>
  ttlMs: number
  clock: Clock
  log: Logger
}): StrategiesCache {
  const { ttlMs, clock, log } = options
  const entries = options.providers.map((provider): Entry => ({
    known: { provider, markets: undefined, readAt: undefined, unread: [], isDown: false },
    refreshing: undefined,
  }))

  const refresh = (entry: Entry): Promise<void> => {
    const { provider, markets: last = [] } = entry.known
    entry.refreshing ??= options
      .load(provider, last)
      .then(
        (read) => {
          entry.known = { provider, ...read, readAt: clock.now(), isDown: false }
        },
        (error: unknown) => {
          log.warn({ err: error, provider }, 'the strategies of a provider cannot be read')
          if (!entry.known.isDown) entry.known = { ...entry.known, isDown: true }
        },
      )
      .finally(() => {
        entry.refreshing = undefined
      })
    return entry.refreshing
  }

  const upToDate = (entry: Entry): PromiseOrValue<ProviderMarkets> => {
    const { readAt, isDown, unread } = entry.known
    const ageMs = readAt ? Math.abs(clock.now().getTime() - readAt.getTime()) : Infinity
    const freshMs = unread.length > 0 ? Math.min(ttlMs, UNREAD_RETRY_MS) : ttlMs
    if (ageMs >= freshMs || isDown) {
      const refreshed = refresh(entry)
      if (ageMs >= WAIT_AFTER_TTLS * ttlMs) return refreshed.then(() => entry.known)
    }
    return entry.known
  }

  return {
    read: () => {
      const known = entries.map(upToDate)
      return known.some((entry) => isPromise(entry))
        ? Promise.all(known.map(async (entry) => entry))
        : (known as ProviderMarkets[])
    },
  }
}
