import { mintAccount, namedAddress, WRAPPED_SOL, type SeededAccount } from './account-bytes.js'
import { jupiterMarketAccounts, jupiterSharedAccounts } from './seed-jupiter.js'
import {
  companionReserves,
  kaminoMarketAccounts,
  kaminoReserve,
  kaminoReserveAccounts,
  LENDING_MARKET,
} from './seed-kamino.js'
import { baseUnits, MARKETS, type MarketToken } from './markets.js'

/** A lending market of the sandbox as the yield subgraph is configured with it. */
export interface SeededMarket extends MarketToken {
  /** Addresses in base58. */
  kaminoMarket: string
  kaminoReserve: string
  /** Reserves to be refreshed along with it, base58. */
  kaminoRefreshedWith: readonly string[]
}

/** The tokens that only yield knows, with mints of our own. */
const OWN_TOKENS: readonly MarketToken[] = ['PYUSD', 'EURC'].map((symbol) => ({
  symbol,
  mint: namedAddress(`mint ${symbol}`).toBase58(),
  decimals: 6,
}))
const SOL: MarketToken = { symbol: 'SOL', mint: WRAPPED_SOL.toBase58(), decimals: 9 }

/** Everything that the sandbox's lending markets consist of. */
export interface YieldSeed {
  /** The mints that the seed brings itself, those of `OWN_TOKENS` and of wrapped SOL, are among them. */
  accounts: readonly SeededAccount[]
  markets: readonly SeededMarket[]
  /** The tokens whose mints are in `accounts`, for the code that hands out balances. */
  ownTokens: readonly MarketToken[]
}

/**
 * The markets of both protocols as accounts, for a chain that has none yet: setting them again would take the interest
 * back.
 * @param tokens USDC and USDT, whose mints are the chain's own
 * @param unixSeconds the chain's time, from which interest is earned
 */
export function yieldSeed(tokens: readonly MarketToken[], unixSeconds: bigint): YieldSeed {
  const all = [...tokens, SOL, ...OWN_TOKENS].map((token) => {
    const figures = MARKETS[token.symbol]
    if (!figures) throw new Error(`no market figures for ${token.symbol}`)
    return { token, figures }
  })
  const most = Math.max(...all.map(({ figures }) => figures.kamino.companions))
  const first = all[0]
  if (!first) throw new Error('no tokens to make markets of')
  const operator = namedAddress('operator')
  const accounts = [
    ...kaminoMarketAccounts(all.map(({ figures }) => figures.priceUsd), unixSeconds), // prettier-ignore
    ...jupiterSharedAccounts(all.length),
    mintAccount(WRAPPED_SOL, { decimals: 9, authority: null, supply: 0n }),
    ...OWN_TOKENS.map(({ symbol, decimals }) =>
      mintAccount(namedAddress(`mint ${symbol}`), { decimals, authority: operator, supply: baseUnits(1e9, decimals) }),
    ),
    ...all.flatMap(({ token, figures }, index) => [
      ...kaminoReserveAccounts(token, figures, { priceIndex: index, unixSeconds }),
      ...jupiterMarketAccounts(token, figures, { id: index + 1, unixSeconds }),
    ]),
    // The companions are reserves of the first token: they are refreshed, and nobody deposits into them.
    ...Array.from({ length: most }, (_, index) =>
      kaminoReserveAccounts(first.token, first.figures, { priceIndex: 0, unixSeconds, name: `companion ${index}` }),
    ).flat(),
  ]
  const markets = all.map(({ token, figures }) => ({
    ...token,
    kaminoMarket: LENDING_MARKET.toBase58(),
    kaminoReserve: kaminoReserve(token.symbol).toBase58(),
    kaminoRefreshedWith: companionReserves(figures.kamino.companions).map((reserve) => reserve.toBase58()),
  }))
  return { accounts, markets, ownTokens: OWN_TOKENS }
}
