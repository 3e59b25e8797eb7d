import type { PublicKey } from '@solana/web3.js'
import { readAccount } from '../account-reader.js'
import type { ChainAccount } from '../provider.js'
import { TOKEN_PROGRAM_ID } from '../../../../chains/solana/token.js'
import { EARN, LIQUIDITY, REWARDS } from './addresses.js'

/** Earn's account of a market; prices are scaled by 1e12. */
export interface Lending {
  mint: PublicKey
  decimals: number
  liquidityPrice: bigint
  sharePrice: bigint
  unixSeconds: bigint
}

/** The liquidity layer's account of a token; raw amounts are in shares of it, prices scaled by 1e12. */
export interface TokenReserve {
  borrowRateBps: bigint
  feeBps: bigint
  unixSeconds: bigint
  supplyPrice: bigint
  borrowPrice: bigint
  supplyRaw: bigint
  borrowRaw: bigint
}

/** The rewards of a market, in base units of the asset and Unix seconds. */
export interface RewardsModel {
  startTvl: bigint
  durationSeconds: bigint
  startSeconds: bigint
  yearlyReward: bigint
}

/** What a market is made of, at one moment. */
export interface EarnMarket {
  lending: Lending
  reserve: TokenReserve
  rewards: RewardsModel
  shareSupply: bigint
}

/**
 * Reads the four accounts of a market: lending, token reserve, rewards model, share mint (offsets with the discriminator;
 * the reserve is packed).
 * @throws ProviderError of kind `protocol` where one is missing or something else
 */
export function readEarnMarket(accounts: readonly (ChainAccount | null)[]): EarnMarket {
  const [lending, reserve, rewards, shareMint] = accounts
  return {
    lending: readLending(lending),
    reserve: readTokenReserve(reserve),
    rewards: readRewards(rewards),
    shareSupply: read(shareMint, { what: 'a share mint', owner: TOKEN_PROGRAM_ID, length: 82 }).number(36, 8),
  }
}

function readLending(account: ChainAccount | null | undefined): Lending {
  const { number, key } = read(account, { what: 'a market', owner: EARN, length: 196, name: 'account:Lending' })
  return {
    mint: key(8),
    decimals: Number(number(74, 1)),
    liquidityPrice: number(107, 8),
    sharePrice: number(115, 8),
    unixSeconds: number(123, 8),
  }
}

function readTokenReserve(account: ChainAccount | null | undefined): TokenReserve {
  const expected = { what: 'a token reserve', owner: LIQUIDITY, length: 192, name: 'account:TokenReserve' }
  const { number } = read(account, expected)
  return {
    borrowRateBps: number(72, 2),
    feeBps: number(74, 2),
    unixSeconds: number(78, 8),
    supplyPrice: number(86, 8),
    borrowPrice: number(94, 8),
    supplyRaw: number(104, 8),
    borrowRaw: number(120, 8),
  }
}

function readRewards(account: ChainAccount | null | undefined): RewardsModel {
  const expected = { what: 'a rewards model', owner: REWARDS, length: 89, name: 'account:LendingRewardsRateModel' }
  const { number } = read(account, expected)
  return {
    startTvl: number(40, 8),
    durationSeconds: number(48, 8),
    startSeconds: number(56, 8),
    yearlyReward: number(64, 8),
  }
}

function read(account: ChainAccount | null | undefined, expected: Parameters<typeof readAccount>[2]) {
  return readAccount('jupiter-lend', account, expected)
}
