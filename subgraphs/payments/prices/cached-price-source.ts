import type { Clock } from '../../../kernel/clock.js'
import type { MarketPrice, PriceSource } from './price-source.js'

const TTL_MS = 2_000
/** Symbols come from callers, so the number of different ones has no other limit. */
const ENTRIES_MAX = 1_000

interface Entry {
  result: Promise<MarketPrice | undefined>
  expiresAtMs: number
}

/**
 * The source with a memory of two seconds by the product's clock: quotes that come at the same time share one call, and
 * hot ones do not call out each time. "No such market" is remembered too; a failure is not.
 */
export function cachedPriceSource(source: PriceSource, clock: Clock): PriceSource {
  const entries = new Map<string, Entry>()

  function remember(key: string, base: string, quote: string): Promise<MarketPrice | undefined> {
    const entry: Entry = { result: source.price(base, quote), expiresAtMs: Infinity }
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > ENTRIES_MAX && oldest !== undefined) entries.delete(oldest)
    entry.result.then(
      () => (entry.expiresAtMs = clock.now().getTime() + TTL_MS),
      () => entries.get(key) === entry && entries.delete(key),
    )
    return entry.result
  }

  return {
    ...source,
    async price(base, quote) {
      const key = `${base}/${quote}`
      const entry = entries.get(key)
      return entry && clock.now().getTime() < entry.expiresAtMs ? entry.result : remember(key, base, quote)
    },
  }
}
