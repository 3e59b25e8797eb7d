import type { Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/log.js'
import type { ProviderName } from '../providers/provider.js'
import type { MarketNow } from './read-markets.js'

/** What is known of one provider's markets. */
export interface ProviderMarkets {
  provider: ProviderName
  /** Undefined where they were never read. */
  markets: readonly MarketNow[] | undefined
  readAt: Date | undefined
  /** Whether the last attempt to read them failed. */
  isDown: boolean
}

/** The markets of all providers, kept for a time. */
export interface StrategiesCache {
  /** What is known of every provider, read first where nothing is known or it is far too old. Never throws. */
  read: () => Promise<ProviderMarkets[]>
}

interface Entry extends ProviderMarkets {
  refreshing: Promise<void> | undefined
}

/** Twice the time to live: older than that, a caller waits for the new figures as long as they can be had. */
const WAIT_AFTER_TTLS = 2

/**
 * A cache of each provider's markets. Figures older than the time to live are served once more while they are read anew,
 * one read at a time; while a provider is down, its old ones are still served.
 */
export function strategiesCache(options: {
  providers: readonly ProviderName[]
  load: (provider: ProviderName) => Promise<MarketNow[]>
  ttlMs: number
  clock: Clock
  log: Logger
}): StrategiesCache {
  const { ttlMs, clock, log } = options
  const entries = options.providers.map((provider): Entry => ({
    provider,
    markets: undefined,
    readAt: undefined,
    isDown: false,
    refreshing: undefined,
  }))

  const refresh = (entry: Entry): Promise<void> => {
    entry.refreshing ??= options
      .load(entry.provider)
      .then(
        (markets) => {
          Object.assign(entry, { markets, readAt: clock.now(), isDown: false })
        },
        (error: unknown) => {
          log.warn({ err: error, provider: entry.provider }, 'the strategies of a provider cannot be read')
          entry.isDown = true
        },
      )
      .finally(() => {
        entry.refreshing = undefined
      })
    return entry.refreshing
  }

  const upToDate = async (entry: Entry): Promise<ProviderMarkets> => {
    const ageMs = entry.readAt ? clock.now().getTime() - entry.readAt.getTime() : Infinity
    if (ageMs >= ttlMs || entry.isDown) {
      const refreshed = refresh(entry)
      if (ageMs >= WAIT_AFTER_TTLS * ttlMs) await refreshed
    }
    const { provider, markets, readAt, isDown } = entry
    return { provider, markets, readAt, isDown }
  }

  return { read: () => Promise.all(entries.map(upToDate)) }
}
