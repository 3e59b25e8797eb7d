import { createHttpClient, type HttpClient } from '../../../kernel/http.js'
import { protocolError, ProviderError } from '../../../kernel/provider-error.js'
import { answeredAt } from './answered-at.js'
import { readBook, type Book } from './book.js'
import type { PriceSource, PriceSourceKind, PriceSourceOptions } from './price-source.js'
import { splitPair } from './symbols.js'

const NAME = 'binance'
/** Binance error code for a market that it does not have. */
const INVALID_SYMBOL = '-1121'

/** Best offers from the public ticker of the Binance spot API: `GET /api/v3/ticker/bookTicker?symbol=USDTBRL`. It has no time but that of its answer. */
export const exchangeTicker: PriceSourceKind = {
  name: NAME,
  defaultBaseUrl: 'https://api.binance.com',
  create: createExchangeTicker,
}

function createExchangeTicker({ clock, confidenceMaxPercent, ...options }: PriceSourceOptions): PriceSource {
  const client = createHttpClient({ provider: NAME, ...options })
  return {
    name: NAME,
    async price(base, quote) {
      const symbol = `${base}${quote}`
      // Joined symbols are ambiguous: without this check USD/TBRL would get the price of USDT/BRL.
      const [reading] = splitPair(symbol)
      if (reading?.base !== base || reading.quote !== quote) return undefined
      const ticker = await askTicker(client, symbol, confidenceMaxPercent)
      return ticker && { ...ticker.book, at: answeredAt(ticker.headers, clock.now()), symbol }
    },
  }
}

async function askTicker(
  client: HttpClient,
  symbol: string,
  maxPercent: string | undefined,
): Promise<{ book: Book; headers: Headers } | undefined> {
  try {
    const { body, headers } = await client.request({
      method: 'GET',
      path: '/api/v3/ticker/bookTicker',
      query: { symbol },
      idempotent: true,
      expects: 'invalid_request',
    })
    const ticker = (body ?? {}) as { symbol?: unknown; bidPrice?: unknown; askPrice?: unknown }
    if (ticker.symbol !== symbol) throw protocolError(NAME, 'not a ticker of the market')
    return { book: readBook(NAME, ticker.bidPrice, ticker.askPrice, maxPercent), headers }
  } catch (error) {
    if (error instanceof ProviderError && error.providerCode === INVALID_SYMBOL) return undefined
    throw error
  }
}
