import { toFraction } from '../fixed-point.js'
import type { Fraction } from '../../fraction.js'
import type { EarnMarket, RewardsModel, TokenReserve } from './accounts.js'

/** Scale of Jupiter's exchange prices. */
export const PRICE_ONE = 10n ** 12n
/** Scale of the returns that Earn adds up (its `RATE_PRECISION`). */
const RETURN_ONE = 10n ** 14n
const SECONDS_PER_YEAR = 31_536_000n
const FULL_BPS = 10_000n

/** Prices of a market at one moment, scaled by 1e12. */
export interface Prices {
  /** Of the liquidity layer's shares: what suppliers have, what borrowers owe. */
  supply: bigint
  borrow: bigint
  /** Of Earn's shares, in the asset. */
  share: bigint
}

/** The prices as the programs would have them at a time, to the unit. */
export function pricesAt(market: EarnMarket, unixSeconds: bigint): Prices {
  const { lending } = market
  const { supply, borrow } = liquidityPrices(market.reserve, unixSeconds)
  const gained =
    supply > lending.liquidityPrice ? ((supply - lending.liquidityPrice) * RETURN_ONE) / lending.liquidityPrice : 0n
  const rewarded = rewardReturn(market, unixSeconds)
  return { supply, borrow, share: lending.sharePrice + (lending.sharePrice * (gained + rewarded)) / RETURN_ONE }
}

/** Borrowers' price grows with the rate by the second; suppliers get its growth without the fee. */
function liquidityPrices(reserve: TokenReserve, unixSeconds: bigint): { supply: bigint; borrow: bigint } {
  const elapsed = unixSeconds > reserve.unixSeconds ? unixSeconds - reserve.unixSeconds : 0n
  const growth = (reserve.borrowPrice * reserve.borrowRateBps * elapsed) / (FULL_BPS * SECONDS_PER_YEAR)
  const earned = reserve.supplyRaw === 0n ? 0n : (growth * reserve.borrowRaw) / reserve.supplyRaw
  return {
    borrow: reserve.borrowPrice + growth,
    supply: reserve.supplyPrice + (earned * (FULL_BPS - reserve.feeBps)) / FULL_BPS,
  }
}

/** What rewards have added to a share since the market was last touched, scaled by 1e14. */
function rewardReturn(market: EarnMarket, unixSeconds: bigint): bigint {
  const { rewards, lending } = market
  const end = rewards.startSeconds + rewards.durationSeconds
  const from = lending.unixSeconds < rewards.startSeconds ? rewards.startSeconds : lending.unixSeconds
  const to = unixSeconds < end ? unixSeconds : end
  if (to <= from) return 0n
  return (rewardsRate(rewards, storedAssets(market)) * (to - from)) / SECONDS_PER_YEAR
}

/** The yearly reward over all deposits, scaled by 1e14, at most 50 %; 0 below the deposits that it starts at. */
function rewardsRate(rewards: RewardsModel, totalAssets: bigint): bigint {
  if (totalAssets === 0n || totalAssets < rewards.startTvl) return 0n
  const rate = (rewards.yearlyReward * RETURN_ONE) / totalAssets
  return rate > RETURN_ONE / 2n ? RETURN_ONE / 2n : rate
}

function storedAssets({ lending, shareSupply }: EarnMarket): bigint {
  return (lending.sharePrice * shareSupply) / PRICE_ONE
}

/** The yearly rates at a time, simple, as Jupiter shows them: what borrowers pay suppliers, and what rewards add. */
export function yearlyRates(
  market: EarnMarket,
  prices: Prices,
  unixSeconds: bigint,
): { supply: Fraction; rewards: Fraction } {
  const { reserve, rewards } = market
  const supplied = reserve.supplyRaw * prices.supply
  const borrowed = reserve.borrowRaw * prices.borrow
  const end = rewards.startSeconds + rewards.durationSeconds
  const isRewarded = unixSeconds >= rewards.startSeconds && unixSeconds < end
  return {
    supply:
      supplied === 0n
        ? 0n
        : toFraction(reserve.borrowRateBps * (FULL_BPS - reserve.feeBps) * borrowed, FULL_BPS * FULL_BPS * supplied),
    rewards: isRewarded ? toFraction(rewardsRate(rewards, storedAssets(market)), RETURN_ONE) : 0n,
  }
}
