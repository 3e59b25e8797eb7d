import { PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { protocolError, type ProviderError } from '../../../../kernel/provider-error.js'
import { TOKEN_PROGRAM_ID } from '../../../../chains/solana/token.js'
import { compoundYearly, divideUp, toFraction } from '../fixed-point.js'
import type {
  ChainAccount,
  ChainTime,
  ListedMarket,
  Market,
  MarketFigures,
  MarketState,
  YieldProvider,
} from '../provider.js'
import { describeKamino, rebuildKamino } from './describe.js'
import {
  depositReserveLiquidity,
  redeemReserveCollateral,
  refreshReserve,
  reserveAddresses,
  type ReserveAddresses,
} from './instructions.js'
import {
  accrue,
  borrowRate,
  calendarRate,
  hostRate,
  PERIODS_PER_YEAR,
  totalBorrow,
  totalSupply,
  utilization,
} from './interest.js'
import { mainnetReserveOf } from './mainnet.js'
import { KAMINO_LEND, readReserve, SCALE, SCALE_BITS, type Reserve } from './reserve.js'

/**
 * Kamino Lend. An entry's settings: `market` and `reserve` (addresses), and optionally `refreshedWith`, reserves of the same
 * market that are brought up to date in the same transaction; with any, the reserve itself is too.
 */
export const beta: YieldProvider = {
  name: 'beta',
  displayName: 'Kamino',
  routeName: 'KAMINO',
  mainnetSettings: mainnetReserveOf,
  programs: [KAMINO_LEND],
  describe: describeKamino,
  listMarket: (asset, settings, isEnabled) => {
    const reserve = addressIn(settings, 'reserve')
    const lendingMarket = addressIn(settings, 'market')
    const companions = companionsIn(settings)
    const listed: ListedMarket = {
      provider: beta,
      asset,
      isEnabled,
      contract: reserve,
      identity: [reserve],
      open: ([account]) => openReserve(listed, lendingMarket, companions, account),
    }
    return listed
  },
}

/** @throws ProviderError of kind `protocol` where the account is not the reserve that the entry names */
function openReserve(
  { asset, isEnabled, contract: address }: ListedMarket,
  lendingMarket: PublicKey,
  companions: readonly PublicKey[],
  account: ChainAccount | null | undefined,
): Market {
  const reserve = readReserve(account)
  if (!reserve.mint.equals(asset.mint) || !reserve.market.equals(lendingMarket)) {
    throw unexpectedReserve('the configured reserve is of another token or market')
  }
  if (reserve.decimals !== asset.decimals) {
    throw unexpectedReserve('the configured decimals are not those of the token')
  }
  if (!reserve.tokenProgram.equals(TOKEN_PROGRAM_ID)) {
    throw unexpectedReserve('tokens of another token program are not supported')
  }
  const addresses = reserveAddresses(address, reserve)
  const market: Market = {
    provider: beta,
    asset,
    isEnabled,
    addresses: { marketOrVault: lendingMarket, reserve: address, shareMint: reserve.shareMint },
    accounts: [address, ...companions],
    read: (accounts, time) => readMarket(addresses, companions, accounts, time),
    rebuild: (instruction) => rebuildKamino(addresses, companions, instruction),
  }
  return market
}

function readMarket(
  addresses: ReserveAddresses,
  companions: readonly PublicKey[],
  [account, ...companionAccounts]: readonly (ChainAccount | null)[],
  time: ChainTime,
): MarketState {
  const stored = readReserve(account)
  const reserve = accrue(stored, time)
  const refreshes = refreshesOf(
    [addresses.reserve, ...companions],
    [stored, ...companions.map((_, index) => readReserve(companionAccounts[index]))],
  )
  const total = totalSupply(reserve)
  const sharesFor = (amount: bigint): bigint => (total === 0n ? 0n : divideUp(amount * reserve.shareSupply, total))
  return {
    figures: figuresOf(reserve, time),
    worthOf: (shares) => (reserve.shareSupply === 0n ? 0n : (shares * total) / reserve.shareSupply),
    depositLeg: (wallet, amount) => [...refreshes, depositReserveLiquidity(addresses, wallet, amount)],
    withdrawLeg: (wallet, withdrawal) => {
      // The protocol takes shares: as many as pay at least the amount now, and a little more when they have earned.
      const shares = withdrawal.kind === 'all' ? withdrawal.shares : sharesFor(withdrawal.amount)
      return [...refreshes, redeemReserveCollateral(addresses, wallet, shares)]
    },
  }
}

/** A refresh for each reserve where there are companions; alone, klend accrues inside deposit and redeem. */
function refreshesOf(addresses: readonly PublicKey[], reserves: readonly Reserve[]): TransactionInstruction[] {
  if (addresses.length === 1) return []
  return addresses.flatMap((address, index) => {
    const reserve = reserves[index]
    return reserve ? [refreshReserve(address, reserve.market, reserve.oracles)] : []
  })
}

function figuresOf(reserve: Reserve, time: ChainTime): MarketFigures {
  const rate = calendarRate(borrowRate(reserve), reserve, time)
  const host = calendarRate(hostRate(reserve), reserve, time)
  const periods = PERIODS_PER_YEAR[reserve.rateBasis]
  const supplied = (utilization(reserve) * rate * (100n - reserve.takeRatePercent)) / 100n
  const supplyRate = toFraction(supplied, SCALE * SCALE)
  return {
    isOpen: reserve.isActive,
    apy: {
      supply: compoundYearly(supplyRate, periods),
      // What a farm pays is not in the reserve; without one there are no rewards.
      rewards: reserve.hasFarm ? null : 0n,
      borrow: compoundYearly(toFraction(rate + host, SCALE), periods),
    },
    maxLoanToValue: toFraction(reserve.loanToValuePercent, 100n),
    totalSupply: totalSupply(reserve),
    totalBorrow: totalBorrow(reserve),
    priceUsd: toFraction(reserve.priceScaled, 1n << SCALE_BITS),
  }
}

function unexpectedReserve(message: string): ProviderError {
  return protocolError('kamino-lend', message)
}

function companionsIn(settings: Readonly<Record<string, unknown>>): PublicKey[] {
  const listed = settings['refreshedWith'] ?? []
  if (!Array.isArray(listed)) throw new Error('refreshedWith must be a list of addresses')
  return listed.map((_, index) => addressIn(listed as unknown as Record<string, unknown>, String(index)))
}

function addressIn(settings: Readonly<Record<string, unknown>>, field: string): PublicKey {
  const value = settings[field]
  try {
    return new PublicKey(typeof value === 'string' ? value : '-')
  } catch {
    throw new Error(`${field} must be an address`)
  }
}
