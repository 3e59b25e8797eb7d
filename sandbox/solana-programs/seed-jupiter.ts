import { PublicKey } from '@solana/web3.js'
import {
  account,
  associatedAccount,
  derived,
  fields,
  mintAccount,
  namedAddress,
  tokenAccount,
  type SeededAccount,
} from './account-bytes.js'
import { baseUnits, type MarketFigures, type MarketToken } from './markets.js'
import { discriminator } from './program-header.js'

const EARN = new PublicKey('jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9')
const LIQUIDITY = new PublicKey('jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC')
const REWARDS = new PublicKey('jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar')
const OPERATOR = namedAddress('operator')
/** Who holds the shares of the deposits that the markets start with. */
const FIRST_DEPOSITOR = namedAddress('first depositor')

const PRICE_ONE = 10n ** 12n
const FULL_BPS = 10_000n
const SECONDS_PER_YEAR = 31_536_000

/** The accounts that all Jupiter markets share: the admin of Earn and the liquidity layer's own. */
export function jupiterSharedAccounts(markets: number): SeededAccount[] {
  const [admin, adminBump] = derived(EARN, 'lending_admin')
  const [liquidity, liquidityBump] = derived(LIQUIDITY, 'liquidity')
  const adminData = fields(1024, discriminator('account:LendingAdmin'))
    .key(8, OPERATOR)
    .key(40, LIQUIDITY)
    .key(72, OPERATOR)
    .number(104, markets + 1, 2)
    .number(106, 0, 4)
    .number(110, adminBump, 1)
  const liquidityData = fields(74, discriminator('account:Liquidity'))
    .key(8, OPERATOR)
    .key(40, OPERATOR)
    .number(73, liquidityBump, 1)
  return [account(admin, EARN, adminData.bytes), account(liquidity, LIQUIDITY, liquidityData.bytes)]
}

/**
 * The accounts of one market, both of Earn and of the liquidity layer below it, with the first depositor's shares.
 * @param id the market's number, from 1
 */
export function jupiterMarketAccounts(
  token: MarketToken,
  figures: MarketFigures,
  options: { id: number; unixSeconds: bigint },
): SeededAccount[] {
  const mint = new PublicKey(token.mint)
  const { decimals } = token
  const shareMint = derived(EARN, 'f_token_mint', mint)[0]
  const admin = derived(EARN, 'lending_admin')[0]
  const liquidity = derived(LIQUIDITY, 'liquidity')[0]
  const vault = associatedAccount(mint, liquidity)
  const supply = baseUnits(figures.jupiter.supply, decimals)
  const debt = baseUnits(figures.jupiter.debt, decimals)
  const shares = (supply * PRICE_ONE) / scaledPrice(figures.jupiter.sharePrice)
  return [
    ...liquidityAccounts(mint, figures.jupiter, { supply, debt, unixSeconds: options.unixSeconds }),
    ...earnAccounts(mint, figures.jupiter, { decimals, ...options }),
    tokenAccount(vault, mint, liquidity, supply - debt),
    mintAccount(shareMint, { decimals, authority: admin, supply: shares }),
    tokenAccount(associatedAccount(shareMint, FIRST_DEPOSITOR), shareMint, FIRST_DEPOSITOR, shares),
  ]
}

function liquidityAccounts(
  mint: PublicKey,
  figures: MarketFigures['jupiter'],
  { supply, debt, unixSeconds }: { supply: bigint; debt: bigint; unixSeconds: bigint },
): SeededAccount[] {
  const shareMint = derived(EARN, 'f_token_mint', mint)[0]
  const lending = derived(EARN, 'lending', mint, shareMint)[0]
  const admin = derived(EARN, 'lending_admin')[0]
  const vault = associatedAccount(mint, derived(LIQUIDITY, 'liquidity')[0])
  const supplyPrice = scaledPrice(figures.liquidityPrice)
  // Borrowers' debt grows faster than what suppliers are paid, so its price is ahead.
  const borrowPrice = scaledPrice(figures.liquidityPrice * 1.03)
  const utilization = Number((debt * FULL_BPS) / supply)
  const reserve = fields(192, discriminator('account:TokenReserve'))
    .key(8, mint)
    .key(40, vault)
    .number(72, rateAt(figures.model, utilization), 2)
    .number(74, figures.feeBps, 2)
    .number(76, utilization, 2)
    .number(78, unixSeconds)
    .number(86, supplyPrice)
    .number(94, borrowPrice)
    .number(102, 9500, 2)
    .number(104, (supply * PRICE_ONE) / supplyPrice)
    .number(120, (debt * PRICE_ONE) / borrowPrice)
  const position = fields(124, discriminator('account:UserSupplyPosition'))
    .key(8, lending)
    .key(40, mint)
    .number(72, 1, 1)
    .number(73, (supply * PRICE_ONE) / supplyPrice)
    .number(97, unixSeconds)
    .number(123, 1, 1)
  const { version, rateAtZero, kink1, rateAtKink1, rateAtMax, kink2, rateAtKink2 } = figures.model
  const model = fields(53, discriminator('account:RateModel')).key(8, mint).number(40, version, 1)
  for (const [index, bps] of [rateAtZero, kink1, rateAtKink1, rateAtMax, kink2, rateAtKink2].entries()) {
    model.number(41 + 2 * index, bps, 2)
  }
  const claim = fields(89, discriminator('account:UserClaim')).key(8, admin).key(48, mint)
  return [
    account(derived(LIQUIDITY, 'reserve', mint)[0], LIQUIDITY, reserve.bytes),
    account(derived(LIQUIDITY, 'user_supply_position', mint, lending)[0], LIQUIDITY, position.bytes),
    account(derived(LIQUIDITY, 'rate_model', mint)[0], LIQUIDITY, model.bytes),
    account(derived(LIQUIDITY, 'user_claim', admin, mint)[0], LIQUIDITY, claim.bytes),
  ]
}

function earnAccounts(
  mint: PublicKey,
  figures: MarketFigures['jupiter'],
  { decimals, id, unixSeconds }: { decimals: number; id: number; unixSeconds: bigint },
): SeededAccount[] {
  const shareMint = derived(EARN, 'f_token_mint', mint)[0]
  const [lending, bump] = derived(EARN, 'lending', mint, shareMint)
  const rewards = derived(REWARDS, 'lending_rewards_rate_model', mint)[0]
  const lendingData = fields(196, discriminator('account:Lending'))
    .key(8, mint)
    .key(40, shareMint)
    .number(72, id, 2)
    .number(74, decimals, 1)
    .key(75, rewards)
    .number(107, scaledPrice(figures.liquidityPrice))
    .number(115, scaledPrice(figures.sharePrice))
    .number(123, unixSeconds)
    .key(131, derived(LIQUIDITY, 'reserve', mint)[0])
    .key(163, derived(LIQUIDITY, 'user_supply_position', mint, lending)[0])
    .number(195, bump, 1)
  const rewardsData = fields(89, discriminator('account:LendingRewardsRateModel')).key(8, mint)
  if (figures.rewardsYearly > 0) {
    rewardsData
      .number(48, SECONDS_PER_YEAR)
      .number(56, unixSeconds)
      .number(64, baseUnits(figures.rewardsYearly, decimals))
  }
  return [account(lending, EARN, lendingData.bytes), account(rewards, REWARDS, rewardsData.bytes)]
}

function scaledPrice(price: number): bigint {
  return BigInt(Math.round(price * 1e12))
}

/** The borrow rate that the model gives at a utilisation, both in basis points. */
function rateAt(model: MarketFigures['jupiter']['model'], utilization: number): number {
  const { version, rateAtZero, kink1, rateAtKink1, rateAtMax, kink2, rateAtKink2 } = model
  const between = (from: number, fromRate: number, to: number, toRate: number): number =>
    Math.floor(fromRate + ((toRate - fromRate) * (utilization - from)) / (to - from))
  if (utilization <= kink1) return between(0, rateAtZero, kink1, rateAtKink1)
  if (version === 1) return between(kink1, rateAtKink1, 10_000, rateAtMax)
  if (utilization <= kink2) return between(kink1, rateAtKink1, kink2, rateAtKink2)
  return between(kink2, rateAtKink2, 10_000, rateAtMax)
}
