import { createHttpClient } from '../../../kernel/http.js'
import { protocolError } from '../../../kernel/provider-error.js'
import { answeredAt } from './answered-at.js'
import { readBook } from './book.js'
import type { PriceSource, PriceSourceKind, PriceSourceOptions } from './price-source.js'

const NAME = 'mercado-bitcoin'
/** All of its markets are quoted in it; elsewhere nobody asks it. */
const QUOTE = 'BRL'

/**
 * Best offers from Mercado Bitcoin's public ticker: `GET /api/v4/tickers?symbols=USDT-BRL`. It prices reais day and night, also
 * while the currency markets rest and the oracle has no price of them. Its `date` is not used: which unit it has is not
 * documented, so its prices are as old as the answer is by its headers.
 */
export const realTicker: PriceSourceKind = {
  name: NAME,
  defaultBaseUrl: 'https://api.mercadobitcoin.net',
  create: createRealTicker,
}

function createRealTicker({ clock, confidenceMaxPercent, ...options }: PriceSourceOptions): PriceSource {
  const client = createHttpClient({ provider: NAME, ...options })
  return {
    name: NAME,
    async price(base, quote) {
      if (quote !== QUOTE || base === quote) return undefined
      const symbol = `${base}-${quote}`
      const query = { symbols: symbol }
      const { body, headers } = await client.request({
        method: 'GET',
        path: '/api/v4/tickers',
        query,
        idempotent: true,
      })
      if (!Array.isArray(body)) throw protocolError(NAME, 'no tickers')
      const [ticker, ...others] = body as readonly ({ pair?: unknown; buy?: unknown; sell?: unknown } | null)[]
      if (ticker === undefined) return undefined
      if (others.length > 0 || ticker?.pair !== symbol) throw protocolError(NAME, 'not a ticker of the market')
      return {
        ...readBook(NAME, ticker.buy, ticker.sell, confidenceMaxPercent),
        at: answeredAt(headers, clock.now()),
        symbol,
      }
    },
  }
}
