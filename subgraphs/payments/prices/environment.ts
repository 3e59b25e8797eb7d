import { amountMap, decimal, integer, url, type Values } from '../../../kernel/env.js'
import { DEFAULT_PRICE_RULES as RULES, type PriceRules } from './price-rules.js'

/** The variables that say what is asked of a price. */
export const PRICE_VARIABLES = {
  realPriceUrl: url('REAL_PRICE_BASE_URL', "Mercado Bitcoin's ticker, which prices reais"),
  dollarPriceUrl: url('DOLLAR_PRICE_BASE_URL', "Kraken's ticker, which prices dollars and euros"),
  priceDeviation: decimal('PRICE_DEVIATION_MAX_PERCENT', 'how far two sources may differ', RULES.deviationMaxPercent),
  priceAgeSeconds: integer('PRICE_AGE_MAX_SECONDS', 'an older price is none', RULES.maxAgeMs / 1000, 1, 86_400),
  priceConfidence: decimal(
    'PRICE_CONFIDENCE_MAX_PERCENT',
    'how uncertain a source may be of a price',
    RULES.confidenceMaxPercent,
  ),
  priceLoneMax: amountMap('PRICE_LONE_MAX', 'up to which amounts one source of a price is enough', RULES.loneMax),
  priceMove: decimal('PRICE_MOVE_MAX_PERCENT', 'how far a price may move until it is confirmed', RULES.moveMaxPercent),
  priceMoveReadings: integer(
    'PRICE_MOVE_READINGS',
    'agreeing readings that confirm a move',
    RULES.moveReadings,
    1,
    100,
  ),
}

/** The rules as the environment has them. */
export function priceRulesOf(env: Values<typeof PRICE_VARIABLES>): PriceRules {
  return {
    deviationMaxPercent: env.priceDeviation,
    maxAgeMs: env.priceAgeSeconds * 1000,
    confidenceMaxPercent: env.priceConfidence,
    loneMax: env.priceLoneMax,
    moveMaxPercent: env.priceMove,
    moveReadings: env.priceMoveReadings,
  }
}
