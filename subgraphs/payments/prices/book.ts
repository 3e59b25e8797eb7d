import { compare, divide, isAmount, isPositive, multiply, subtract, sum } from '../../../kernel/money.js'
import { protocolError, ProviderError } from '../../../kernel/provider-error.js'

const DECIMALS = 18

/** Both sides of a market, as positive decimal strings without superfluous zeros. */
export interface Book {
  /** The middle of the two: what the market is shown and compared by. */
  price: string
  /** What one who sells a unit gets at once. */
  bid: string
  /** What one who buys a unit pays at once. */
  ask: string
}

/**
 * The sides of a market as an exchange says them.
 * @param maxPercent how far either may be from the middle: a wide book is what a thin or a manipulated market looks like
 * @throws ProviderError where they are no prices, cross each other, or are too far apart
 */
export function readBook(provider: string, bid: unknown, ask: unknown, maxPercent: string | undefined): Book {
  if (!isAmount(bid) || !isAmount(ask) || !isPositive(bid) || compare(bid, ask) > 0) {
    throw protocolError(provider, 'not a ticker of the market')
  }
  const [least, most] = [divide(bid, '1', DECIMALS), divide(ask, '1', DECIMALS)]
  const price = divide(sum([least, most]), '2', DECIMALS)
  if (maxPercent !== undefined) refuseUncertain(provider, price, subtract(most, price), maxPercent)
  return { price, bid: least, ask: most }
}

/**
 * Refuses a price that its source is not certain of.
 * @param offBy how far it may be off, in the price's own unit
 * @throws ProviderError
 */
export function refuseUncertain(provider: string, price: string, offBy: string, maxPercent: string): void {
  if (compare(multiply(offBy, '100'), multiply(price, maxPercent)) <= 0) return
  throw new ProviderError({
    provider,
    kind: 'unavailable',
    retryable: true,
    message: `${provider} is not sure of a price`,
  })
}
