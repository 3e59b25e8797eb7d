import { toAppError } from '../../../kernel/http.js'
import type { Logger } from '../../../kernel/log.js'
import { compare } from '../../../kernel/money.js'
import { ProviderError } from '../../../kernel/provider-error.js'
import { findMarket, type Market, type MarketDeps } from './market.js'
import type { PriceRules } from './price-rules.js'

/** What decides whether money may move by a price. */
export type PayableMarketDeps = MarketDeps & { log: Logger; priceRules: PriceRules }

/**
 * The market by which `amount` of `from` may be paid in `to`; undefined where there is none.
 * A price that only one source knows is enough for small sums alone.
 * Throws AppError provider_unavailable or provider_timeout.
 */
export async function payableMarket(
  deps: PayableMarketDeps,
  from: string,
  to: string,
  amount: string,
): Promise<Market | undefined> {
  const market = await findMarket(deps, from, to)
  if (market && !market.isConfirmed && compare(amount, deps.priceRules.loneMax[from] ?? '0') > 0) {
    throw refused(deps, market, 'a price of one source alone')
  }
  return market
}

/** The error of a price that nobody may pay by. The caller learns that it is a provider's matter; the log says why. */
function refused({ log }: PayableMarketDeps, market: Market, message: string): Error {
  const { from, to, rate, source } = market
  log.error({ from, to, rate, source }, `a price was refused: ${message}`)
  return toAppError(new ProviderError({ provider: source, kind: 'unavailable', retryable: true, message }))
}
