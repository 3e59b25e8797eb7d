import { toAppError } from '../../../kernel/http.js'
import { divide, isPositive, multiply } from '../../../kernel/money.js'
import { protocolError } from '../../../kernel/provider-error.js'
import { isStalePrice, type MarketPrice, type PriceSource } from './price-source.js'
import { CROSS_CURRENCY, type Pair } from './symbols.js'

const RATE_DECIMALS = 18

/** One exchange market on the way from one currency to another. */
export interface MarketLeg extends Pair, MarketPrice {
  /** Whether the way goes against the market, from its quote currency to its base currency. */
  inverse: boolean
}

/** What one currency buys of another, and how that is known. */
export interface Market {
  kind: 'direct' | 'inverse' | 'via_usdt'
  /** The price source's name. */
  source: string
  from: string
  to: string
  /** How much `to` one `from` buys: a decimal string, exact to 18 decimals, a half upwards. */
  rate: string
  /** How much `from` one `to` buys; computed from the legs, not from the rounded `rate`. */
  inverseRate: string
  /** The markets used, in order; none where `from` is `to`. */
  legs: MarketLeg[]
}

/** Finds the market from one currency to another; undefined where there is none. Throws provider_unavailable or provider_timeout. */
export interface Markets {
  findMarket: (from: string, to: string) => Promise<Market | undefined>
}

/** What pricing needs; `prices` should be cached (`cachedPriceSource`), because a look-up may ask it six times. */
export interface MarketDeps {
  prices: PriceSource
}

/**
 * The market from one currency symbol to another (upper case): the exchange's own in either orientation, otherwise a
 * cross through USDT, also while the market's own price is old; undefined where there is neither.
 * Throws AppError provider_unavailable or provider_timeout.
 */
export async function findMarket({ prices }: MarketDeps, from: string, to: string): Promise<Market | undefined> {
  try {
    if (from === to) return marketOf(prices.name, 'direct', from, to, [])
    const isCross = from !== CROSS_CURRENCY && to !== CROSS_CURRENCY
    const leg = await findLeg(prices, from, to).catch((error: unknown) => {
      if (isCross && isStalePrice(error)) return { failure: error }
      throw error
    })
    if (leg && !('failure' in leg)) return marketOf(prices.name, leg.inverse ? 'inverse' : 'direct', from, to, [leg])
    if (!isCross) return undefined
    const legs = await Promise.all([findLeg(prices, from, CROSS_CURRENCY), findLeg(prices, CROSS_CURRENCY, to)])
    const [first, second] = legs
    if (first && second) return marketOf(prices.name, 'via_usdt', from, to, [first, second])
    if (leg) throw leg.failure
    return undefined
  } catch (error) {
    throw toAppError(error)
  }
}

async function findLeg(prices: PriceSource, from: string, to: string): Promise<MarketLeg | undefined> {
  const direct = await prices.price(from, to)
  if (direct) return { ...direct, base: from, quote: to, inverse: false }
  const inverse = await prices.price(to, from)
  return inverse && { ...inverse, base: to, quote: from, inverse: true }
}

function marketOf(source: string, kind: Market['kind'], from: string, to: string, legs: MarketLeg[]): Market {
  const product = (inverse: boolean) =>
    legs.filter((leg) => leg.inverse === inverse).reduce((price, leg) => multiply(price, leg.price), '1')
  // A single division at the end, so that a cross is rounded once.
  const rate = divide(product(false), product(true), RATE_DECIMALS)
  const inverseRate = divide(product(true), product(false), RATE_DECIMALS)
  if (!isPositive(rate) || !isPositive(inverseRate)) {
    throw protocolError(source, 'a price out of range')
  }
  return { source: legs[0]?.source ?? source, kind, from, to, rate, inverseRate, legs }
}
