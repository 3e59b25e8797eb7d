import { divide, multiply, roundHalfUp } from '../../kernel/money.js'

/** The exchange's table: the price of a market, and which of some markets was priced last. */
export interface ExchangeTable {
  priceOf: (market: string) => string
  newestOf: (markets: readonly string[]) => string
}

/** What one USDT costs in US dollars, which no market of the exchange says. */
const USDT_USD = '1.0002'

/** What a US dollar costs in BRL, as it follows from the exchange's table. */
export function dollarInReais({ priceOf }: ExchangeTable): string {
  return divide(priceOf('USDTBRL'), USDT_USD, 18)
}

/** What one unit of a coin or of the euro costs in US dollars, as it follows from the exchange's table. */
export function inDollars({ priceOf, newestOf }: ExchangeTable, symbol: string): string {
  if (symbol === 'USDT') return USDT_USD
  const [dollars, reais] = [`${symbol}USDT`, `${symbol}BRL`]
  // Two markets may tell it; a test that has just priced one of them means that one.
  return newestOf([dollars, reais]) === reais
    ? divide(multiply(priceOf(reais), USDT_USD), priceOf('USDTBRL'), 18)
    : roundHalfUp(multiply(priceOf(dollars), USDT_USD), 18)
}
