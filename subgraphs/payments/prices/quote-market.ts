import { AppError } from '../../../kernel/errors.js'
import { findMarket, type Market, type MarketDeps } from './market.js'
import { presentMarket, type PresentedMarket } from './present-market.js'
import { readSymbol, splitPair, type Pair } from './symbols.js'

/** What `GET /quote/market` takes: `from` and `to`, or `pair` (`ETHUSDT`), or two symbols whose order is not known. */
export interface MarketQuestion {
  from?: string | null | undefined
  to?: string | null | undefined
  pair?: string | null | undefined
  tryOne?: string | null | undefined
  tryTwo?: string | null | undefined
}

/**
 * The price of the market asked for; the first usable of `from` + `to`, `pair`, `tryOne` + `tryTwo` counts, in any case.
 * Throws AppError params_mismatch where none is usable, pair_not_found, provider_unavailable, provider_timeout.
 */
export async function quoteMarket(deps: MarketDeps, question: MarketQuestion): Promise<PresentedMarket> {
  const market = await answer(deps, question)
  // A currency is worth itself, but no exchange has said so, nor that there is such a currency.
  if (!market || market.from === market.to) throw new AppError('pair_not_found')
  return presentMarket(market)
}

async function answer(deps: MarketDeps, question: MarketQuestion): Promise<Market | undefined> {
  const asked = readPair(question.from, question.to)
  if (asked) return findMarket(deps, asked.base, asked.quote)
  const joined = question.pair?.trim().toUpperCase()
  if (joined && /^[A-Z0-9]{4,24}$/.test(joined)) return findFirst(deps, splitPair(joined))
  const tried = readPair(question.tryOne, question.tryTwo)
  if (tried) {
    // A joined pair reads as a currency too: it is taken apart where the two are no market.
    const joinedPairs = [...splitPair(tried.base), ...splitPair(tried.quote)]
    return (await findInExchangeOrder(deps, tried)) ?? findFirst(deps, joinedPairs)
  }
  throw new AppError('params_mismatch')
}

function readPair(base: string | null | undefined, quote: string | null | undefined): Pair | undefined {
  const pair = { base: readSymbol(base ?? ''), quote: readSymbol(quote ?? '') }
  return pair.base && pair.quote ? { base: pair.base, quote: pair.quote } : undefined
}

async function findFirst(deps: MarketDeps, pairs: readonly Pair[]): Promise<Market | undefined> {
  for (const { base, quote } of pairs) {
    const market = await findMarket(deps, base, quote)
    if (market) return market
  }
  return undefined
}

/** Who does not know the order gets the exchange's: one unit of the market's base currency. */
async function findInExchangeOrder(deps: MarketDeps, { base, quote }: Pair): Promise<Market | undefined> {
  const market = await findMarket(deps, base, quote)
  return market?.kind === 'inverse' ? findMarket(deps, quote, base) : market
}
