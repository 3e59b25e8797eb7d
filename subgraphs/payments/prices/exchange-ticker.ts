import { createHttpClient, type HttpClient } from '../../../kernel/http.js'
import { isAmount, isPositive, roundHalfUp } from '../../../kernel/money.js'
import { protocolError, ProviderError } from '../../../kernel/provider-error.js'
import type { PriceSource, PriceSourceKind, PriceSourceOptions } from './price-source.js'
import { splitPair } from './symbols.js'

const NAME = 'binance'
/** Binance error code for a market that it does not have. */
const INVALID_SYMBOL = '-1121'

/** Last traded prices from the public ticker of the Binance spot API: `GET /api/v3/ticker/price?symbol=USDTBRL`. */
export const exchangeTicker: PriceSourceKind = {
  name: NAME,
  defaultBaseUrl: 'https://api.binance.com',
  create: createExchangeTicker,
}

function createExchangeTicker({ clock, confidenceMaxPercent: _none, ...options }: PriceSourceOptions): PriceSource {
  const client = createHttpClient({ provider: NAME, ...options })
  return {
    name: NAME,
    async price(base, quote) {
      const symbol = `${base}${quote}`
      // Joined symbols are ambiguous: without this check USD/TBRL would get the price of USDT/BRL.
      const [reading] = splitPair(symbol)
      if (reading?.base !== base || reading.quote !== quote) return undefined
      const price = await askTicker(client, symbol)
      return price === undefined ? undefined : { price, at: clock.now(), symbol }
    },
  }
}

async function askTicker(client: HttpClient, symbol: string): Promise<string | undefined> {
  try {
    const { body } = await client.request({
      method: 'GET',
      path: '/api/v3/ticker/price',
      query: { symbol },
      idempotent: true,
      expects: 'invalid_request',
    })
    const { symbol: answered, price } = (body ?? {}) as { symbol?: unknown; price?: unknown }
    if (answered !== symbol || !isAmount(price) || !isPositive(price)) {
      throw protocolError(NAME, 'not a ticker of the market')
    }
    return roundHalfUp(price, 18)
  } catch (error) {
    if (error instanceof ProviderError && error.providerCode === INVALID_SYMBOL) return undefined
    throw error
  }
}
