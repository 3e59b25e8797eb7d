import { fromBaseUnits } from '../../../kernel/money.js'
import { FRACTION_ONE, type Fraction } from '../fraction.js'
import type { Market, MarketState, ProviderName } from '../providers/provider.js'

/** A yearly rate both ways: 4 % is `{percent: 4, annualized: 0.04}`. */
export interface Rate {
  percent: number
  annualized: number
}

/** A lending strategy as callers see it; null where the protocol has no figure. */
export interface Strategy {
  /** Provider, mint and market, separated by colons. */
  id: string
  provider: ProviderName
  protocolDisplayName: string
  enabled: boolean
  token: { symbol: string; mint: string; decimals: number }
  apy: { supply: Rate | null; totalWithRewards: Rate | null; rewardsOnly: Rate | null; borrow: Rate | null }
  risk: { maxLtv: number | null; maxLtvPercent: number | null }
  liquidity: { tvlUsd: number | null; totalSupplyUsd: number | null; totalBorrowUsd: number | null }
  addresses: { marketOrVault: string; reserve: string; shareMint: string }
}

/** Rates are shown to the hundred-millionth of a percent. */
const RATE_DECIMALS = 10
const USD_DECIMALS = 2

/**
 * A market's figures as a strategy.
 * @param priceUsd of one whole token, scaled by 1e18; null where no protocol knows one
 */
export function strategyOf(market: Market, { figures }: MarketState, priceUsd: Fraction | null): Strategy {
  const { provider, asset, addresses } = market
  const { supply, rewards, borrow } = figures.apy
  const inUsd = (units: bigint | null): number | null =>
    units === null || priceUsd === null ? null : Number(usdText(units, asset.decimals, priceUsd))
  return {
    id: [provider.name, asset.mint.toBase58(), addresses.marketOrVault.toBase58()].join(':'),
    provider: provider.name,
    protocolDisplayName: provider.displayName,
    enabled: market.isEnabled && figures.isOpen,
    token: { symbol: asset.symbol, mint: asset.mint.toBase58(), decimals: asset.decimals },
    apy: {
      supply: rateOf(supply),
      totalWithRewards: rewards === null ? null : rateOf(supply + rewards),
      rewardsOnly: rateOf(rewards),
      borrow: rateOf(borrow),
    },
    risk: {
      maxLtv: figures.maxLoanToValue === null ? null : decimalOf(figures.maxLoanToValue, 4),
      maxLtvPercent: figures.maxLoanToValue === null ? null : decimalOf(figures.maxLoanToValue * 100n, 2),
    },
    liquidity: {
      tvlUsd: inUsd(figures.totalSupply),
      totalSupplyUsd: inUsd(figures.totalSupply),
      totalBorrowUsd: inUsd(figures.totalBorrow),
    },
    addresses: {
      marketOrVault: addresses.marketOrVault.toBase58(),
      reserve: addresses.reserve.toBase58(),
      shareMint: addresses.shareMint.toBase58(),
    },
  }
}

function rateOf(fraction: Fraction | null): Rate | null {
  if (fraction === null) return null
  return {
    percent: decimalOf(fraction * 100n, RATE_DECIMALS - 2),
    annualized: decimalOf(fraction, RATE_DECIMALS),
  }
}

/** A fraction as the number that its decimal text stands for, rounded half up: the digits are exact, the number shows them. */
function decimalOf(fraction: Fraction, decimals: number): number {
  return Number(fromBaseUnits(rounded(fraction, 10n ** BigInt(18 - decimals)), decimals))
}

function usdText(units: bigint, decimals: number, priceUsd: Fraction): string {
  const divisor = (10n ** BigInt(decimals) * FRACTION_ONE) / 10n ** BigInt(USD_DECIMALS)
  return fromBaseUnits(rounded(units * priceUsd, divisor), USD_DECIMALS)
}

function rounded(value: bigint, divisor: bigint): bigint {
  return (value + divisor / 2n) / divisor
}
