import type { Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/log.js'
import { compare, divide } from '../../../kernel/money.js'
import { ProviderError } from '../../../kernel/provider-error.js'
import { stalePrice, type MarketPrice, type PriceSource } from './price-source.js'

/** A source with its place in the order. */
export interface RankedSource {
  source: PriceSource
  /** Prices older than this count as none. */
  maxAgeMs: number
}

const RATIO_DECIMALS = 18

/**
 * Sources in order, as one. A market is the first source's that has it, in either orientation: the exchange prices BRL and
 * the coins, the oracle prices USD, of which the exchange has no markets. The next source stands in while one is down or
 * its prices are old. Where another source behind it knows the market too, the two must agree: a price that is off by more
 * than `deviationMax` is nobody's to pay by.
 * @param options.sources cached each (`cachedPriceSource`), because several are asked for one price
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
      const answer = await firstAnswer(sources, clock, base, quote)
      if (!answer) return undefined
      const [first, ...rest] = answer
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

/**
 * The price of the first source that has the market, and the sources behind it; undefined where none has, or where the
 * first that knows the two has them the other way round. Throws what the first one threw where nobody else knows.
 */
async function firstAnswer(
  sources: readonly RankedSource[],
  clock: Clock,
  base: string,
  quote: string,
): Promise<[{ name: string; price: MarketPrice }, ...RankedSource[]] | undefined> {
  const failures: unknown[] = []
  for (const [index, ranked] of sources.entries()) {
    const behind = sources.slice(index + 1)
    try {
      const price = await freshPrice(ranked, clock, base, quote)
      if (price) return [{ name: ranked.source.name, price }, ...behind]
      // A caller that asks for one orientation asks for the other next. The last source needs no question: none is behind it.
      if (behind.length > 0 && (await freshPrice(ranked, clock, quote, base))) return undefined
    } catch (error) {
      failures.push(error)
    }
  }
  // What the first one says of its failure tells most.
  if (failures.length > 0) throw failures[0]
  return undefined
}

async function freshPrice(
  { source, maxAgeMs }: RankedSource,
  clock: Clock,
  base: string,
  quote: string,
): Promise<MarketPrice | undefined> {
  const price = await source.price(base, quote)
  if (price && clock.now().getTime() - price.at.getTime() > maxAgeMs) throw stalePrice(source.name)
  return price
}

function isFarOff(one: string, other: string, factorMax: string): boolean {
  const [higher, lower] = compare(one, other) >= 0 ? [one, other] : [other, one]
  return compare(divide(higher, lower, RATIO_DECIMALS), factorMax) > 0
}

function unavailable(provider: string, message: string): ProviderError {
  return new ProviderError({ provider, kind: 'unavailable', retryable: true, message })
}
