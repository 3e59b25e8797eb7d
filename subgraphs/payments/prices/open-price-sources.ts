import type { Clock } from '../../../kernel/clock.js'
import type { Logger } from '../../../kernel/log.js'
import { agreeingSources, type Legs } from './agreeing-sources.js'
import { cachedPriceSource } from './cached-price-source.js'
import { dollarTicker } from './dollar-ticker.js'
import { exchangeTicker } from './exchange-ticker.js'
import { hermes } from './hermes.js'
import type { PriceSource } from './price-source.js'
import type { PriceRules } from './price-rules.js'
import { realTicker } from './real-ticker.js'

/** Where a deployment's prices come from. */
export interface PriceSourcesOptions {
  /** The exchange's ticker. */
  priceUrl: string
  /** The ticker of the exchange that has markets in reais. */
  realPriceUrl?: string | undefined
  /** The ticker of the exchange that has markets in dollars and euros. */
  dollarPriceUrl?: string | undefined
  /** The oracle, which knows all of them. */
  oracle: { url: string; apiKey: string | undefined } | undefined
}

/** The exchanges and the oracle as one, each with a cache of its own. */
export function openPriceSources(
  { priceUrl, realPriceUrl, dollarPriceUrl, oracle }: PriceSourcesOptions,
  { rules, ...shared }: { rules: PriceRules; timeoutMs: number; clock: Clock; log: Logger },
): Legs {
  const { clock, log } = shared
  const { confidenceMaxPercent } = rules
  const headers = oracle?.apiKey === undefined ? {} : { authorization: `Bearer ${oracle.apiKey}` }
  const asked = { ...shared, confidenceMaxPercent }
  const others: PriceSource[] = [
    ...(realPriceUrl === undefined ? [] : [realTicker.create({ baseUrl: realPriceUrl, ...asked })]),
    ...(dollarPriceUrl === undefined ? [] : [dollarTicker.create({ baseUrl: dollarPriceUrl, ...asked })]),
    ...(oracle ? [hermes.create({ baseUrl: oracle.url, headers, ...asked })] : []),
  ]
  const cached = (source: PriceSource): PriceSource => cachedPriceSource(source, clock)
  const first = cached(exchangeTicker.create({ baseUrl: priceUrl, ...asked }))
  return agreeingSources({ sources: [first, ...others.map(cached)], rules, clock, log })
}
