import { addressText } from '../../../chains/solana/address-text.js'
import { unchanging } from '../../../kernel/compiled/keep-answers.js'
import { AppError } from '../../../kernel/errors.js'
import { whenThere, type PromiseOrValue } from '../../../kernel/promise-or-value.js'
import type { YieldDeps } from '../deps.js'
import type { Fraction } from '../fraction.js'
import type { MarketState, ProviderName } from '../providers/provider.js'
import type { MarketNow } from './read-markets.js'
import type { ProviderMarkets } from './strategies-cache.js'
import { strategyOf, type Strategy } from './strategy.js'

/** How it stands with one provider. */
export interface StrategySource {
  provider: ProviderName
  ok: boolean
  message: string
  /** How many of its strategies are in the answer. */
  count: number
}

export interface StrategyList {
  strategies: Strategy[]
  sources: StrategySource[]
}

/**
 * The strategies of all providers, or those of one token. A provider that is down, and a market that cannot be read, are told in
 * `sources`; their last known strategies are served.
 * @param input.symbol the token, in any case
 * @throws AppError provider_unavailable where no provider has ever answered; validation_error on `symbol` where no market
 *   is in that token
 */
export function listStrategies(
  deps: Pick<YieldDeps, 'settings' | 'strategies'>,
  input: { symbol?: string },
): PromiseOrValue<StrategyList> {
  const symbol = input.symbol === undefined ? undefined : knownSymbol(deps, input.symbol)
  return whenThere(deps.strategies.read(), (known) => {
    if (known.length > 0 && known.every(({ markets }) => markets === undefined))
      throw new AppError('provider_unavailable')
    return listOf(known, symbol)
  })
}

/** The lists that were made of what is known, by token. */
const listsOf = new WeakMap<
  ProviderMarkets,
  { known: readonly ProviderMarkets[]; byToken: Map<string, StrategyList> }
>()

/** One list until something else is known of a provider: it is asked for far more often than that. */
function listOf(known: readonly ProviderMarkets[], symbol: string | undefined): StrategyList {
  const [first] = known
  if (!first) return { strategies: [], sources: [] }
  const kept = listsOf.get(first)
  const isSame = kept?.known.every((entry, index) => entry === known[index]) === true
  const { byToken } = isSame ? kept : { byToken: new Map<string, StrategyList>() }
  if (!isSame) listsOf.set(first, { known, byToken })
  const token = symbol ?? ''
  const list = byToken.get(token) ?? unchanging(makeList(known, symbol))
  byToken.set(token, list)
  return list
}

function makeList(known: readonly ProviderMarkets[], symbol: string | undefined): StrategyList {
  const prices = pricesOf(known.flatMap(({ markets }) => markets ?? []))
  const lists = known.map((entry) => strategiesOf(entry, prices, symbol))
  return {
    strategies: lists.flat(),
    sources: known.map((entry, index) => sourceOf(entry, lists[index]?.length ?? 0)),
  }
}

function strategiesOf(
  { markets }: ProviderMarkets,
  prices: ReadonlyMap<string, Fraction>,
  symbol: string | undefined,
): Strategy[] {
  return (markets ?? [])
    .filter(({ market }) => symbol === undefined || market.asset.symbol === symbol)
    .map((now) => presented(now, prices.get(addressText(now.market.asset.mint)) ?? null))
}

/** What was made of a state before: it is asked for far more often than it is read, and writing addresses takes its time. */
const made = new WeakMap<MarketState, { priceUsd: Fraction | null; strategy: Strategy }>()

function presented({ market, state }: MarketNow, priceUsd: Fraction | null): Strategy {
  const known = made.get(state)
  if (known?.priceUsd === priceUsd) return known.strategy
  const strategy = strategyOf(market, state, priceUsd)
  made.set(state, { priceUsd, strategy })
  return strategy
}

function knownSymbol({ settings }: Pick<YieldDeps, 'settings'>, text: string): string {
  const symbol = text.toUpperCase()
  if (settings.markets.some(({ asset }) => asset.symbol === symbol)) return symbol
  throw new AppError('invalid_parameters', { message: 'No strategy is in this token.' })
}

/** Prices by mint: a protocol without one of its own is shown at what another says of the same token. */
function pricesOf(markets: readonly MarketNow[]): Map<string, Fraction> {
  const prices = new Map<string, Fraction>()
  for (const { market, state } of markets) {
    const { priceUsd } = state.figures
    if (priceUsd !== null && priceUsd > 0n) prices.set(addressText(market.asset.mint), priceUsd)
  }
  return prices
}

function sourceOf({ provider, markets, readAt, unread, isDown }: ProviderMarkets, count: number): StrategySource {
  if (!isDown && markets) {
    const but = unread.length === 0 ? '.' : `, but for ${unread.join(', ')}: what was last known is shown, if anything.`
    return { provider, ok: true, message: `Up to date${but}`, count }
  }
  const message = readAt
    ? `The provider does not answer; these figures are of ${readAt.toISOString()}.`
    : 'The provider does not answer.'
  return { provider, ok: false, message, count }
}
