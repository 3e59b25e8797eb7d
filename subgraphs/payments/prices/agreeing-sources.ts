import type { Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/log.js'
import { divide } from '../../../kernel/money.js'
import { ProviderError } from '../../../kernel/provider-error.js'
import { isFarOff } from './deviation.js'
import { stalePrice, unreadMarket, type MarketPrice, type PriceSource } from './price-source.js'
import type { PriceRules } from './price-rules.js'
import type { Pair } from './symbols.js'

/** One exchange market on the way from one currency to another. */
export interface MarketLeg extends Pair, MarketPrice {
  /** Whether the way goes against the market, from its quote currency to its base currency. */
  inverse: boolean
  /** Whose price it is. */
  source: string
  /** Whether another source says the same, within the bound. */
  isConfirmed: boolean
}

/** Markets of one or several sources. */
export interface Legs {
  readonly name: string
  /** Whether a second source could confirm a price. */
  readonly canConfirm: boolean
  /** The market of two currencies in either orientation; undefined where nobody has it. Throws a ProviderError. */
  leg: (from: string, to: string) => Promise<MarketLeg | undefined>
}

type Reading = Omit<MarketLeg, 'isConfirmed'>

const RATIO_DECIMALS = 18

/**
 * Sources as one. All are asked at once; the price is the first one's that has a market of the two, and is confirmed
 * where another knows the market too. Prices that differ by more than the bound are nobody's to pay by.
 * @param options.sources in order of preference; cached each (`cachedPriceSource`)
 */
export function agreeingSources(options: {
  sources: readonly [PriceSource, ...PriceSource[]]
  rules: Pick<PriceRules, 'deviationMaxPercent' | 'maxAgeMs'>
  clock: Clock
  log: Logger
}): Legs {
  const { sources, rules, clock, log } = options
  return {
    name: sources[0].name,
    canConfirm: sources.length > 1,
    async leg(from, to) {
      const asked = sources.map((source) => readLeg(source, from, to, { clock, maxAgeMs: rules.maxAgeMs }))
      const settled = await Promise.allSettled(asked)
      const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
      const readings = settled.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []))
      const [first] = readings
      // What the first one says of its failure tells most.
      if (!first && failures.length > 0) {
        throw settled[0]?.status === 'fulfilled' ? unreadMarket(failures[0]) : failures[0]
      }
      if (!first) return undefined
      for (const err of failures) log.warn({ from, to, err }, 'a price could not be checked')
      refuseDisagreement(log, readings, rules.deviationMaxPercent)
      return { ...first, isConfirmed: readings.length > 1 }
    },
  }
}

/** What a source says of two currencies, in either orientation, which are asked for at once. Throws where it is too old. */
async function readLeg(
  source: PriceSource,
  from: string,
  to: string,
  { clock, maxAgeMs }: { clock: Clock; maxAgeMs: number },
): Promise<Reading | undefined> {
  const [direct, reverse] = await Promise.all([
    source.price(from, to),
    source.isEitherWay ? undefined : source.price(to, from),
  ])
  const price = direct ?? reverse
  if (!price) return undefined
  if (clock.now().getTime() - price.at.getTime() > maxAgeMs) throw stalePrice(source.name)
  const pair = direct ? { base: from, quote: to, inverse: false } : { base: to, quote: from, inverse: true }
  return { ...price, ...pair, source: source.name }
}

function refuseDisagreement(log: Logger, readings: readonly Reading[], maxPercent: string): void {
  const rates = readings.map(rateOf)
  const isOff = rates.some((one, index) => rates.slice(index + 1).some((other) => isFarOff(one, other, maxPercent)))
  if (!isOff) return
  const prices = readings.map(({ source, symbol, price }) => ({ source, symbol, price }))
  log.error({ prices }, 'prices disagree')
  const provider = readings.map(({ source }) => source).join(', ')
  throw new ProviderError({ provider, kind: 'unavailable', retryable: true, message: 'prices disagree' })
}

function rateOf({ price, inverse }: Reading): string {
  return inverse ? divide('1', price, RATIO_DECIMALS) : price
}
