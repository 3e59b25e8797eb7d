import type { Clock } from '../../../kernel/clock.js'
import type { HttpClient } from '../../../kernel/http.js'
import type { Logger } from '../../../kernel/log.js'
import { readMarketHours, type MarketHours } from './market-hours.js'

/** Schedules change by holidays that are announced long before. */
const KEPT_MS = 24 * 3_600_000
const TRIED_AGAIN_MS = 60_000
const ALWAYS: MarketHours = () => true

/** A currency's feed at the oracle. */
interface CurrencyFeed {
  symbol: string
  id: string
}

/**
 * When the oracle has prices of a currency, by its own metadata: `GET /v2/price_feeds?query=BRL&asset_type=fx`. Currencies rest at
 * weekends, each by a calendar of its own, and what is published meanwhile is the last price and not one of now.
 * @returns whether a currency's market is open; a schedule that cannot be had closes nothing, as a price's age still counts
 */
export function currencyHours(
  client: HttpClient,
  { clock, log }: { clock: Clock; log: Logger },
): (feed: CurrencyFeed) => Promise<boolean> {
  const known = new Map<string, { hours: Promise<MarketHours>; readAtMs: number; keptMs: number }>()

  function read(feed: CurrencyFeed): Promise<MarketHours> {
    const entry = { hours: askHours(client, feed), readAtMs: clock.now().getTime(), keptMs: KEPT_MS }
    entry.hours = entry.hours.catch((err: unknown) => {
      log.warn({ symbol: feed.symbol, err }, "a currency's hours could not be read")
      entry.keptMs = TRIED_AGAIN_MS
      return ALWAYS
    })
    known.set(feed.symbol, entry)
    return entry.hours
  }

  return async (feed) => {
    const entry = known.get(feed.symbol)
    const now = clock.now()
    const isKept = entry && now.getTime() - entry.readAtMs < entry.keptMs
    const hours = await (isKept ? entry.hours : read(feed))
    return hours(now)
  }
}

/** `[{id, attributes: {schedule: "America/New_York;O,O,O,O,O,C,C;0101/C", …}}, …]`, of all feeds whose names have the symbol in them. */
async function askHours(client: HttpClient, { symbol, id }: CurrencyFeed): Promise<MarketHours> {
  const query = { query: symbol, asset_type: 'fx' }
  const { body } = await client.request({ method: 'GET', path: '/v2/price_feeds', query, idempotent: true })
  const feeds = Array.isArray(body) ? (body as readonly ({ id?: unknown; attributes?: unknown } | null)[]) : []
  const found = feeds.find((feed) => feed?.id === id)
  const { schedule } = (found?.attributes ?? {}) as { schedule?: unknown }
  const hours = typeof schedule === 'string' ? readMarketHours(schedule) : undefined
  if (!hours) throw new Error(`the oracle has no schedule of ${symbol}`)
  return hours
}
