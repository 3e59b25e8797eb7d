/** The currency through which two others are priced that share no market. */
export const CROSS_CURRENCY = 'USDT'

/**
 * Currencies in which exchanges quote their markets. Those that end in another one's code and would claim its markets
 * (TUSD claims USDTUSD) are left out.
 */
const QUOTE_CURRENCIES = [
  'USDT',
  'USDC',
  'FDUSD',
  'DAI',
  'BTC',
  'ETH',
  'BNB',
  'SOL',
  'XRP',
  'DOGE',
  'TRX',
  'BRL',
  'USD',
  'EUR',
  'GBP',
  'JPY',
  'TRY',
  'MXN',
  'ARS',
  'COP',
  'CZK',
  'PLN',
  'RON',
  'UAH',
  'ZAR',
  'AUD',
]

const SYMBOL = /^[A-Z0-9]{2,12}$/

/** A base currency and the currency in which it is priced. */
export interface Pair {
  base: string
  quote: string
}

/** The pair of two currencies, whichever way round they come. */
export function pairOf(one: string, other: string): Pair {
  return one < other ? { base: one, quote: other } : { base: other, quote: one }
}

/** The currency symbol in upper case; undefined where `value` is not one (2 to 12 letters and digits). */
export function readSymbol(value: string): string | undefined {
  const symbol = value.trim().toUpperCase()
  return SYMBOL.test(symbol) ? symbol : undefined
}

/** The ways to read a joined market symbol such as `ETHUSDT`, the longest quote currency first. */
export function splitPair(joined: string): Pair[] {
  return QUOTE_CURRENCIES.filter((quote) => joined.endsWith(quote))
    .map((quote) => ({ base: joined.slice(0, -quote.length), quote }))
    .filter(({ base }) => SYMBOL.test(base))
    .sort((one, other) => other.quote.length - one.quote.length)
}
