import type { Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/log.js'
import { compare, divide } from '../../../kernel/money.js'
import { ProviderError } from '../../../kernel/provider-error.js'
import type { MarketPrice, PriceSource } from './price-source.js'

/** A source with its place in the order. */
export interface RankedSource {
  source: PriceSource
  /** Prices older than this count as none. */
  maxAgeMs: number
}

const RATIO_DECIMALS = 18

/**
 * Sources in order, as one: the first that can be asked has the word, also about which markets there are; the next one
 * stands in while it is down or its prices are old. Where another source knows the market too, the two must agree: a
 * price that is off by more than `deviationMax` is nobody's to pay by.
 * @param options.deviationMax the largest factor between two prices, e.g. `1.02` for two percent
 */
export function orderedPriceSource(options: {
  sources: readonly [RankedSource, ...RankedSource[]]
  deviationMax: string
  clock: Clock
  log: Logger
}): PriceSource {
  const { sources, deviationMax, clock, log } = options
  return {
    name: sources[0].source.name,
    async price(base, quote) {
      const [first, ...rest] = await firstAnswer(sources, clock, base, quote)
      if (!first.price) return undefined
      for (const other of rest) {
        const price = await freshPrice(other, clock, base, quote).catch((error: unknown) => {
          log.warn({ source: other.source.name, err: error }, 'a price could not be checked')
          return undefined
        })
        if (price && isFarOff(first.price.price, price.price, deviationMax)) {
          const details = { base, quote, [first.name]: first.price.price, [other.source.name]: price.price }
          log.error(details, 'prices disagree')
          throw unavailable(first.name, 'prices disagree')
        }
      }
      return { ...first.price, source: first.name }
    },
  }
}

/** The first source that answers, and those behind it. Throws what the last one threw where none does. */
async function firstAnswer(
  sources: readonly RankedSource[],
  clock: Clock,
  base: string,
  quote: string,
): Promise<[{ name: string; price: MarketPrice | undefined }, ...RankedSource[]]> {
  let failure: unknown
  for (const [index, ranked] of sources.entries()) {
    try {
      const price = await freshPrice(ranked, clock, base, quote)
      // A stand-in that does not know the market says nothing about whether there is one.
      if (price === undefined && failure !== undefined) continue
      return [{ name: ranked.source.name, price }, ...sources.slice(index + 1)]
    } catch (error) {
      // What the first one says of its failure tells most.
      failure ??= error
    }
  }
  throw failure
}

async function freshPrice(
  { source, maxAgeMs }: RankedSource,
  clock: Clock,
  base: string,
  quote: string,
): Promise<MarketPrice | undefined> {
  const price = await source.price(base, quote)
  if (price && clock.now().getTime() - price.at.getTime() > maxAgeMs) throw unavailable(source.name, 'an old price')
  return price
}

function isFarOff(one: string, other: string, factorMax: string): boolean {
  const [higher, lower] = compare(one, other) >= 0 ? [one, other] : [other, one]
  return compare(divide(higher, lower, RATIO_DECIMALS), factorMax) > 0
}

function unavailable(provider: string, message: string): ProviderError {
  return new ProviderError({ provider, kind: 'unavailable', retryable: true, message })
}
