import { Big } from 'big.js'
import type { YieldDeps } from '../deps.js'
import type { ProviderName } from '../providers/provider.js'
import { PROVIDERS } from '../providers/registry.js'
import { listStrategies } from './yield-strategies.js'
import type { Strategy } from './strategy.js'

/** A strategy among those that a token could be in. */
export interface RouteOption {
  provider: ProviderName
  protocolDisplayName: string
  strategyId: string
  apyPercent: number
}

/** A token that earns more with one provider than with another. */
export interface RebalanceOpportunity {
  token: { symbol: string; mint: string }
  /** The routes from the best to the last: `SOL-KAMINO > SOL-JUPITER`. */
  routeWinner: string
  winner: RouteOption
  /** All others, best first. */
  alternatives: RouteOption[]
  /** How much more the winner pays than the last of the alternatives. */
  apySpreadPercent: number
}

/**
 * Where a token could earn more elsewhere, best spread first: every token with at least two enabled strategies.
 * @param input.symbol only this token, in any case
 * @throws AppError provider_unavailable, invalid_parameters
 */
export async function listOpportunities(
  deps: Pick<YieldDeps, 'settings' | 'strategies'>,
  input: { symbol?: string },
): Promise<RebalanceOpportunity[]> {
  const { strategies } = await listStrategies(deps, input)
  const byMint = Map.groupBy(
    strategies.filter(({ enabled }) => enabled),
    ({ token }) => token.mint,
  )
  return [...byMint.values()]
    .flatMap((options) => opportunityOf(options))
    .sort((left, right) => right.apySpreadPercent - left.apySpreadPercent)
}

function opportunityOf(strategies: readonly Strategy[]): RebalanceOpportunity[] {
  const [best, ...rest] = strategies
    .map((strategy) => ({ strategy, option: optionOf(strategy) }))
    .sort((left, right) => right.option.apyPercent - left.option.apyPercent)
  const last = rest.at(-1)
  if (!best || !last) return []
  const { symbol, mint } = best.strategy.token
  return [
    {
      token: { symbol, mint },
      routeWinner: [best, ...rest].map(({ option }) => `${symbol}-${routeNameOf(option.provider)}`).join(' > '),
      winner: best.option,
      alternatives: rest.map(({ option }) => option),
      apySpreadPercent: difference(best.option.apyPercent, last.option.apyPercent),
    },
  ]
}

function routeNameOf(name: ProviderName): string {
  return PROVIDERS.find((provider) => provider.name === name)?.routeName ?? name
}

function optionOf({ id, provider, protocolDisplayName, apy }: Strategy): RouteOption {
  const rate = apy.totalWithRewards ?? apy.supply
  return { provider, protocolDisplayName, strategyId: id, apyPercent: rate?.percent ?? 0 }
}

/** The difference of two percentages as their digits say, without what binary floats add to it. */
function difference(left: number, right: number): number {
  return Number(new Big(String(left)).minus(new Big(String(right))).toFixed())
}
