import type { YieldChain } from '../chain/yield-chain.js'
import type { ListedMarket, Market, ProviderEnvironment, YieldProvider } from '../providers/provider.js'
import type { KnownMarkets } from './describe-instruction.js'

/** Gives the markets of a list, or why each cannot be had. */
export type OpenMarkets = (listed: readonly ListedMarket[]) => Promise<PromiseSettledResult<Market>[]>

const NOTHING = Promise.resolve({ accounts: [] })

/**
 * Opens markets, each once: what their accounts say of their addresses never changes. Those that are not open yet are read in
 * one call; one that failed is tried again the next time.
 * @param environment the providers' own variables
 */
export function marketOpener(
  { readAccounts }: Pick<YieldChain, 'readAccounts'>,
  environment: ProviderEnvironment,
): OpenMarkets {
  const opened = new Map<ListedMarket, Market>()

  async function openMissing(missing: readonly ListedMarket[]): Promise<Map<ListedMarket, unknown>> {
    const failures = new Map<ListedMarket, unknown>()
    const wanted = missing.flatMap(({ identity }) => identity)
    const [read] = await Promise.allSettled([wanted.length === 0 ? NOTHING : readAccounts(wanted)])
    let next = 0
    for (const market of missing) {
      const from = next
      next += market.identity.length
      try {
        // A market that follows from its entry alone does not need the chain.
        if (read.status === 'rejected' && next > from) throw read.reason
        const identity = read.status === 'fulfilled' ? read.value.accounts.slice(from, next) : []
        opened.set(market, market.open(identity, environment))
      } catch (error) {
        failures.set(market, error)
      }
    }
    return failures
  }

  return async (listed) => {
    const missing = listed.filter((market) => !opened.has(market))
    const failures = missing.length === 0 ? undefined : await openMissing(missing)
    return listed.map((market) => {
      const value = opened.get(market)
      return value ? { status: 'fulfilled', value } : { status: 'rejected', reason: failures?.get(market) }
    })
  }
}

interface KnownMarketsDeps {
  settings: { providers: readonly YieldProvider[]; markets: readonly ListedMarket[] }
  openMarkets: OpenMarkets
}

/** What signed and unsigned transactions are held against. A market that cannot be opened has built none. */
export async function knownMarkets({
  settings,
  openMarkets,
}: KnownMarketsDeps): Promise<KnownMarkets & { isComplete: boolean }> {
  const opened = await openMarkets(settings.markets)
  const markets = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  return { providers: settings.providers, markets, isComplete: markets.length === opened.length }
}

/**
 * Opens markets of which every one is needed.
 * @throws the first failure; AppError provider_unavailable, provider_timeout; ProviderError where a market is not what the
 *   deployment says
 */
export async function openAll(open: OpenMarkets, listed: readonly ListedMarket[]): Promise<Market[]> {
  const results = await open(listed)
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}
