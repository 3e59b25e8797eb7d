import { PublicKey } from '@solana/web3.js'
import {
  account,
  associatedAccount,
  derived,
  fields,
  mintAccount,
  namedAddress,
  TOKEN_PROGRAM,
  tokenAccount,
  type SeededAccount,
} from './account-bytes.js'
import { baseUnits, type MarketFigures, type MarketToken, type VaultSeeds } from './markets.js'
import { discriminator } from './program-header.js'

const KAMINO = new PublicKey('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD')
const SCOPE_PROGRAM = new PublicKey('HFn8GnPADiny6XqUoWE8uRPPxb29ikn4yTuPa9MF2fWJ')
const SCOPE_PRICES = namedAddress('scope prices')
const OPERATOR = namedAddress('operator')
/** The sandbox's one Kamino lending market. */
export const LENDING_MARKET = namedAddress('kamino lending market')
/** Who holds the shares of the deposits that the markets start with. */
const FIRST_DEPOSITOR = namedAddress('first depositor')

const RESERVE_BYTES = 8624
const MARKET_BYTES = 4664
const SCOPE_BYTES = 28_712
const SLOTS_PER_SECOND = 2n
const CURVE_POINTS = 11
/** The end of a chain of price entries. */
const NO_ENTRY = 65_535
const SCALED_ONE = 1n << 60n
const PRICE_DECIMALS = 8

/** The address of a token's reserve. */
export function kaminoReserve(symbol: string): PublicKey {
  return namedAddress(`kamino reserve ${symbol}`)
}

/** The reserves that a wide market is refreshed along with. */
export function companionReserves(count: number): PublicKey[] {
  return Array.from({ length: count }, (_, index) => kaminoReserve(`companion ${index}`))
}

/** The accounts that hold a reserve's money and shares, by the seeds of its generation. */
export function kaminoVaults(
  from: VaultSeeds,
  { market, mint, reserve }: { market: PublicKey; mint: PublicKey; reserve: PublicKey },
): Record<'supplyVault' | 'feeVault' | 'shareMint' | 'shareVault', PublicKey> {
  const seeds = from === 'reserve' ? [reserve] : [market, mint]
  const at = (tag: string): PublicKey => derived(KAMINO, tag, ...seeds)[0]
  return {
    supplyVault: at('reserve_liq_supply'),
    feeVault: at('fee_receiver'),
    shareMint: at('reserve_coll_mint'),
    shareVault: at('reserve_coll_supply'),
  }
}

/** The accounts of the lending market that all reserves share: the market and the price list. */
export function kaminoMarketAccounts(prices: readonly number[], unixSeconds: bigint): SeededAccount[] {
  const [, bump] = derived(KAMINO, 'lma', LENDING_MARKET)
  const market = fields(MARKET_BYTES, discriminator('account:LendingMarket'))
    .number(8, 1)
    .number(16, bump)
    .key(24, OPERATOR)
    .text(88, 'USD')
  const scope = fields(SCOPE_BYTES, discriminator('account:OraclePrices'))
  prices.forEach((price, index) => {
    const entry = 40 + 56 * index
    scope
      .number(entry, Math.round(price * 10 ** PRICE_DECIMALS))
      .number(entry + 8, PRICE_DECIMALS)
      .number(entry + 16, unixSeconds * SLOTS_PER_SECOND)
      .number(entry + 24, unixSeconds)
  })
  return [account(LENDING_MARKET, KAMINO, market.bytes), account(SCOPE_PRICES, SCOPE_PROGRAM, scope.bytes)]
}

/**
 * The accounts of one reserve: itself, its vaults and its share mint, with the first depositor's shares.
 * @param priceIndex its entry in the price list
 */
export function kaminoReserveAccounts(
  token: MarketToken,
  figures: MarketFigures,
  options: { priceIndex: number; unixSeconds: bigint; name?: string },
): SeededAccount[] {
  const { kamino } = figures
  const { decimals } = token
  const mint = new PublicKey(token.mint)
  const reserve = kaminoReserve(options.name ?? token.symbol)
  const authority = derived(KAMINO, 'lma', LENDING_MARKET)[0]
  const { supplyVault, feeVault, shareMint, shareVault } = kaminoVaults(kamino.vaultsFrom, {
    market: LENDING_MARKET,
    mint,
    reserve,
  })
  const supply = baseUnits(kamino.supply, decimals)
  const debt = baseUnits(kamino.debt, decimals)
  const shares = baseUnits(kamino.supply / kamino.sharePrice, decimals)
  const data = fields(RESERVE_BYTES, discriminator('account:Reserve'))
    .number(8, 1)
    .number(16, options.unixSeconds * SLOTS_PER_SECOND)
    .number(28, options.unixSeconds, 4)
    .key(32, LENDING_MARKET)
    .key(128, mint)
    .key(160, supplyVault)
    .key(192, feeVault)
    .number(224, supply - debt)
    .number(232, debt * SCALED_ONE, 16)
    .number(
      248,
      (BigInt(Math.round(figures.priceUsd * 10 ** PRICE_DECIMALS)) * SCALED_ONE) / 10n ** BigInt(PRICE_DECIMALS),
      16,
    ) // prettier-ignore
    .number(264, options.unixSeconds)
    .number(272, decimals)
    .number(296, SCALED_ONE, 32)
    .key(408, TOKEN_PROGRAM)
    .key(2560, shareMint)
    .number(2592, shares)
    .key(2600, shareVault)
    .number(4865, kamino.interestBy === 'second' ? 1 : 0, 1)
    .number(4870, kamino.takeRatePercent, 1)
    .number(4872, kamino.loanToValuePercent, 1)
    .number(4873, kamino.liquidationPercent, 1)
    .number(5016, supply * 4n)
    .number(5024, supply * 4n)
    .text(5032, token.symbol)
    .key(5112, SCOPE_PRICES)
  for (let index = 0; index < CURVE_POINTS; index++) {
    // The real program fills the curve up with its last point.
    const [utilizationBps = 0, rateBps = 0] = kamino.curve[Math.min(index, kamino.curve.length - 1)] ?? []
    data.number(4920 + 8 * index, utilizationBps, 4).number(4924 + 8 * index, rateBps, 4)
  }
  for (let index = 0; index < 4; index++) {
    data.number(5144 + 2 * index, index === 0 ? options.priceIndex : NO_ENTRY, 2).number(5152 + 2 * index, NO_ENTRY, 2)
  }
  return [
    account(reserve, KAMINO, data.bytes),
    tokenAccount(supplyVault, mint, authority, supply - debt),
    tokenAccount(feeVault, mint, authority, 0n),
    mintAccount(shareMint, { decimals, authority, supply: shares }),
    tokenAccount(shareVault, shareMint, authority, 0n),
    tokenAccount(associatedAccount(shareMint, FIRST_DEPOSITOR), shareMint, FIRST_DEPOSITOR, shares),
  ]
}
