import { toAppError } from '../../../kernel/http.js'
import { divide, isPositive, multiply } from '../../../kernel/money.js'
import { protocolError, ProviderError } from '../../../kernel/provider-error.js'
import type { Legs, MarketLeg } from './agreeing-sources.js'
import { isFarOff } from './deviation.js'
import { mayBeCrossed } from './price-source.js'
import { CROSS_CURRENCY } from './symbols.js'

/** So exact are rates. */
export const RATE_DECIMALS = 18

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
  /** How much `to` somebody gets at once who sells one `from`, at the best offers of the markets used. */
  sellRate: string
  /** How much `to` somebody has to sell who buys one `from`, at the best offers of the markets used. */
  buyRate: string
  /** Whether two sources agree on each of the markets used. */
  isConfirmed: boolean
  /** The markets used, in order; none where `from` is `to`. */
  legs: MarketLeg[]
}

/** Finds the market from one currency to another; undefined where there is none. Throws provider_unavailable or provider_timeout. */
export interface Markets {
  /** The market as it is: to show it, or as a bound on what others offer. */
  findMarket: (from: string, to: string) => Promise<Market | undefined>
  /** The market by which `amount` of `from` may be paid, see `payableMarket`. */
  payableMarket: (from: string, to: string, amount: string) => Promise<Market | undefined>
}

/** What pricing needs. */
export interface MarketDeps {
  prices: Legs
  /** How far a market that only one source has may be from the way through USDT, where that is confirmed. */
  deviationMaxPercent: string
}

/**
 * The market from one currency symbol to another (upper case): the exchange's own in either orientation, otherwise a
 * cross through USDT, also while the market's own price is old or cannot be asked for, or is one source's alone and the
 * cross is not; undefined
 * where there is neither.
 * Throws AppError provider_unavailable or provider_timeout.
 */
export async function findMarket(deps: MarketDeps, from: string, to: string): Promise<Market | undefined> {
  const { prices } = deps
  try {
    if (from === to) return marketOf(prices.name, 'direct', from, to, [])
    const isCross = from !== CROSS_CURRENCY && to !== CROSS_CURRENCY
    const leg = await prices.leg(from, to).catch((error: unknown) => {
      if (isCross && mayBeCrossed(error)) return { failure: error }
      throw error
    })
    if (leg && !('failure' in leg)) {
      const own = marketOf(prices.name, leg.inverse ? 'inverse' : 'direct', from, to, [leg])
      return isCross && !own.isConfirmed && prices.canConfirm ? await confirmedOf(deps, own) : own
    }
    const cross = isCross ? await findCross(prices, from, to) : undefined
    if (!cross && leg) throw leg.failure
    return cross
  } catch (error) {
    throw toAppError(error)
  }
}

async function findCross(prices: Legs, from: string, to: string): Promise<Market | undefined> {
  const [first, second] = await Promise.all([prices.leg(from, CROSS_CURRENCY), prices.leg(CROSS_CURRENCY, to)])
  return first && second && marketOf(prices.name, 'via_usdt', from, to, [first, second])
}

/** The cross instead of a market that one source alone knows, where the cross is confirmed; they have to agree. */
async function confirmedOf({ prices, deviationMaxPercent }: MarketDeps, own: Market): Promise<Market> {
  const cross = await findCross(prices, own.from, own.to).catch(() => undefined)
  if (!cross?.isConfirmed) return own
  if (isFarOff(own.rate, cross.rate, deviationMaxPercent)) {
    const message = `${own.from}/${own.to} disagrees with the way through ${CROSS_CURRENCY}`
    throw new ProviderError({ provider: own.source, kind: 'unavailable', retryable: true, message })
  }
  return cross
}

function marketOf(source: string, kind: Market['kind'], from: string, to: string, legs: MarketLeg[]): Market {
  const product = (inverse: boolean, side: 'price' | 'bid' | 'ask') =>
    legs.filter((leg) => leg.inverse === inverse).reduce((price, leg) => multiply(price, leg[side]), '1')
  // A single division at the end, so that a cross is rounded once.
  const rate = divide(product(false, 'price'), product(true, 'price'), RATE_DECIMALS)
  const inverseRate = divide(product(true, 'price'), product(false, 'price'), RATE_DECIMALS)
  // Against a market one buys its base: at the price that is asked for it.
  const sellRate = divide(product(false, 'bid'), product(true, 'ask'), RATE_DECIMALS)
  const buyRate = divide(product(false, 'ask'), product(true, 'bid'), RATE_DECIMALS)
  if (![rate, inverseRate, sellRate, buyRate].every(isPositive)) {
    throw protocolError(source, 'a price out of range')
  }
  const isConfirmed = legs.every((leg) => leg.isConfirmed)
  return { source: legs[0]?.source ?? source, kind, from, to, rate, inverseRate, sellRate, buyRate, isConfirmed, legs }
}
