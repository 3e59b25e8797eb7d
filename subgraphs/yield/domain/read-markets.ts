import type { PublicKey } from '@solana/web3.js'
import { addressText } from '../../../chains/solana/address-text.js'
import type { Logger } from '../../../kernel/log.js'
import type { YieldChain } from '../chain/yield-chain.js'
import type { ChainAccount, ListedMarket, Market, MarketState } from '../providers/provider.js'
import type { OpenMarkets } from './open-markets.js'

interface ReadMarketsDeps {
  chain: Pick<YieldChain, 'readAccounts'>
  log: Logger
  openMarkets: OpenMarkets
}

/** A market with its state at a moment. */
export interface MarketNow {
  market: Market
  state: MarketState
}

/** What was read of some markets. */
export interface MarketsRead {
  /** In the order of the list; what could not be read is what was known of it, or left out. */
  markets: MarketNow[]
  /** The symbols of those that could not be read. */
  unread: string[]
}

/**
 * Reads several markets at one moment, in one call. One that cannot be read is logged.
 * @param last what was known of them before
 * @throws the first failure where none can be read; AppError provider_unavailable, provider_timeout
 */
export async function readMarkets(
  { chain, log, openMarkets }: ReadMarketsDeps,
  listed: readonly ListedMarket[],
  last: readonly MarketNow[] = [],
): Promise<MarketsRead> {
  if (listed.length === 0) return { markets: [], unread: [] }
  const failures: unknown[] = []
  const unread: string[] = []
  const note = ({ provider, asset }: ListedMarket | Market, error: unknown): void => {
    log.warn({ err: error, provider: provider.name, asset: asset.symbol }, 'a market cannot be read')
    failures.push(error)
    unread.push(asset.symbol)
  }
  const markets = (await openMarkets(listed)).flatMap((result, index) => {
    if (result.status === 'fulfilled') return [result.value]
    const market = listed[index]
    if (market) note(market, result.reason)
    return []
  })
  const addresses = new Map(markets.flatMap(({ accounts }) => accounts.map((key) => [addressText(key), key] as const)))
  if (markets.length === 0) throw failures[0]
  const { accounts, time } = await chain.readAccounts([...addresses.values()])
  const byAddress = new Map([...addresses.keys()].map((address, index) => [address, accounts[index] ?? null]))
  const read = markets.flatMap((market) => {
    try {
      const own = market.accounts.map((key) => byAddress.get(addressText(key)) ?? null)
      return [{ market, state: market.read(own, time) }]
    } catch (error) {
      note(market, error)
      return last.filter((known) => known.market === market)
    }
  })
  if (unread.length === listed.length) throw failures[0]
  return { markets: read, unread }
}

/**
 * Reads some markets and other accounts at one moment.
 * @returns the states in the order of the markets, and the accounts in theirs
 * @throws AppError provider_unavailable, provider_timeout; ProviderError where a market is not what it should be
 */
export async function readTogether(
  { chain }: Pick<ReadMarketsDeps, 'chain'>,
  markets: readonly Market[],
  others: readonly PublicKey[],
): Promise<{ states: MarketState[]; accounts: (ChainAccount | null)[] }> {
  const { accounts, time } = await chain.readAccounts([...markets.flatMap((market) => market.accounts), ...others])
  let next = 0
  const states = markets.map((market) => {
    const own = accounts.slice(next, next + market.accounts.length)
    next += market.accounts.length
    return market.read(own, time)
  })
  return { states, accounts: accounts.slice(next) }
}
