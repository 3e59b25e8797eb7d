import { createHttpClient } from '../../../kernel/http.js'
import { protocolError, type ProviderError } from '../../../kernel/provider-error.js'
import { answeredAt } from './answered-at.js'
import { readBook, type Book } from './book.js'
import type { PriceSource, PriceSourceKind, PriceSourceOptions } from './price-source.js'

const NAME = 'kraken'
/** What its markets are quoted in of what the first exchange has no markets in; elsewhere nobody asks it. */
const QUOTES = ['USD', 'EUR']
/** Kraken's error for a market that it does not have. */
const UNKNOWN_PAIR = 'EQuery:Unknown asset pair'

/**
 * Best offers from Kraken's public ticker: `GET /0/public/Ticker?pair=USDTUSD`. It prices dollars and euros day and
 * night, also while the currency markets rest and the oracle's price is old.
 */
export const dollarTicker: PriceSourceKind = {
  name: NAME,
  defaultBaseUrl: 'https://api.kraken.com',
  create: createDollarTicker,
}

function createDollarTicker({ clock, confidenceMaxPercent, ...options }: PriceSourceOptions): PriceSource {
  const client = createHttpClient({ provider: NAME, ...options })
  return {
    name: NAME,
    async price(base, quote) {
      if (!QUOTES.includes(quote) || base === quote) return undefined
      const query = { pair: `${base}${quote}` }
      const { body, headers } = await client.request({
        method: 'GET',
        path: '/0/public/Ticker',
        query,
        idempotent: true,
      })
      const book = readTicker(body, base, quote, confidenceMaxPercent)
      return book && { ...book, at: answeredAt(headers, clock.now()), symbol: `${base}/${quote}` }
    },
  }
}

/** `{error: [], result: {USDTZUSD: {a: [ask, …], b: [bid, …]}}}`; errors come with status 200. */
function readTicker(body: unknown, base: string, quote: string, maxPercent: string | undefined): Book | undefined {
  const { error, result } = (body ?? {}) as { error?: unknown; result?: unknown }
  if (!Array.isArray(error)) throw notTicker()
  if (error.includes(UNKNOWN_PAIR)) return undefined
  if (error.length > 0) throw notTicker()
  const [entry, ...others] = Object.entries((result ?? {}) as Record<string, unknown>)
  if (!entry || others.length > 0 || !isNameOf(entry[0], base, quote)) throw notTicker()
  const { a, b } = (entry[1] ?? {}) as Record<'a' | 'b', unknown>
  const [bid, ask] = [b, a].map((values) => (Array.isArray(values) ? (values[0] as unknown) : undefined))
  return readBook(NAME, bid, ask, maxPercent)
}

/** Kraken writes old coins with an X, currencies with a Z in front, and Bitcoin as XBT: `XXBTZUSD`, `USDTZUSD`. */
function isNameOf(name: string, base: string, quote: string): boolean {
  const bases = base === 'BTC' ? ['XBT', 'XXBT'] : [base, `X${base}`, `Z${base}`]
  return bases.some((one) => name === `${one}${quote}` || name === `${one}Z${quote}`)
}

function notTicker(): ProviderError {
  return protocolError(NAME, 'not a ticker of the market')
}
