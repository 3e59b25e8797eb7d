import type { Clock } from '../../../kernel/clock.js'
import { toAppError } from '../../../kernel/http.js'
import type { Logger } from '../../../kernel/log.js'
import { compare } from '../../../kernel/money.js'
import { ProviderError } from '../../../kernel/provider-error.js'
import type { AcceptedPrice } from '../model/accepted-price.js'
import type { Stores } from '../store/stores.js'
import { judgeMove } from './judge-move.js'
import { findMarket, type Market, type MarketDeps } from './market.js'
import type { PriceRules } from './price-rules.js'
import { pairOf } from './symbols.js'

/** What decides whether money may move by a price. */
export type PayableMarketDeps = MarketDeps &
  Pick<Stores, 'acceptedPrices' | 'alerts'> & { clock: Clock; log: Logger; priceRules: PriceRules }

/**
 * The market by which `amount` of `from` may be paid in `to`; undefined where there is none.
 * A price that only one source knows is enough for small sums alone, and one that has moved too far since the last is
 * held until it is confirmed or an operator accepts it.
 * Throws AppError provider_unavailable or provider_timeout.
 */
export async function payableMarket(
  deps: PayableMarketDeps,
  from: string,
  to: string,
  amount: string,
): Promise<Market | undefined> {
  if (from === to) return findMarket(deps, from, to)
  const pair = pairOf(from, to)
  // The last price is read while the sources are asked, so that it costs no time.
  const [market, last] = await Promise.all([findMarket(deps, from, to), deps.acceptedPrices.find(pair)])
  if (!market) return undefined
  if (!market.isConfirmed && compare(amount, deps.priceRules.loneMax[from] ?? '0') > 0) {
    throw refused(deps, market, 'one source alone has it')
  }
  if (!(await isAccepted(deps, market, last))) {
    const { base, quote } = pair
    const details = `${market.from}/${market.to} is ${market.rate}; ${base}/${quote} was ${last?.rate}`
    await deps.alerts.raise({ kind: 'price_moved', subject: `${base}/${quote}`, details })
    throw refused(deps, market, 'it moved too far since the last one')
  }
  return market
}

async function isAccepted(deps: PayableMarketDeps, market: Market, last: AcceptedPrice | undefined): Promise<boolean> {
  const { clock, priceRules, acceptedPrices } = deps
  const pair = pairOf(market.from, market.to)
  const rate = pair.base === market.from ? market.rate : market.inverseRate
  const judge = (known: AcceptedPrice | undefined) => judgeMove(known, rate, clock.now(), priceRules)
  const { isAccepted: isFine, next } = judge(last)
  // One source alone may pay a small sum, but its price is no measure for the next.
  if (!market.isConfirmed) return isFine
  return next ? acceptedPrices.judge(pair, judge) : isFine
}

/** The error of a price that nobody may pay by. The caller learns that it is a provider's matter; the log says why. */
function refused({ log }: PayableMarketDeps, market: Market, message: string): Error {
  const { from, to, rate, source } = market
  log.error({ from, to, rate, source }, `a price was refused: ${message}`)
  return toAppError(new ProviderError({ provider: source, kind: 'unavailable', retryable: true, message }))
}
