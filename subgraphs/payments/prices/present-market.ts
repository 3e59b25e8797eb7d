import type { Market } from './market.js'
import type { Pair } from './symbols.js'

/** A price of one unit of `from`, in `to`, with a sentence such as "1 ETH = 18250.5 BRL". */
export interface PresentedRate {
  from: string
  to: string
  price: string
  description: string
}

/** The `data` of `GET /quote/market`, in the API's words. */
export interface PresentedMarket {
  /** The market that the price is from, e.g. `ETHBRL`; of a cross, the pair as it was asked for. */
  symbol: string
  price: string
  source: string
  market: { symbol: string; price: string }
  exchange: { symbol: string; base: string; quote: string; meaning: string }
  /** Both orientations, the one asked for first. */
  rates: PresentedRate[]
  requested: PresentedRate
  route?: { legs: (Pair & { symbol: string; price: string; description: string })[] }
}

/** A market as `GET /quote/market` shows it; all prices are decimal strings. */
export function presentMarket(market: Market): PresentedMarket {
  const { from, to, rate, inverseRate, kind, legs } = market
  const requested = presentRate(from, to, rate)
  const [own] = legs
  const { symbol, price, base, quote } =
    own && kind !== 'via_usdt' ? own : { symbol: `${from}${to}`, price: rate, base: from, quote: to }
  return {
    symbol,
    price,
    source: market.source,
    market: { symbol, price },
    exchange: { symbol, base, quote, meaning: `${symbol} is the price of 1 ${base} in ${quote}.` },
    rates: [requested, presentRate(to, from, inverseRate)],
    requested,
    ...(kind === 'via_usdt' && { route: { legs: legs.map(presentLeg) } }),
  }
}

function presentRate(from: string, to: string, price: string): PresentedRate {
  return { from, to, price, description: `1 ${from} = ${price} ${to}` }
}

function presentLeg({ symbol, base, quote, price }: Market['legs'][number]) {
  return { symbol, base, quote, price, description: `1 ${base} = ${price} ${quote}` }
}
