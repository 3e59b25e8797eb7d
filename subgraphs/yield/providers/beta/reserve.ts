import { PublicKey } from '@solana/web3.js'
import { readAccount } from '../account-reader.js'
import { protocolError } from '../../../../kernel/provider-error.js'
import type { ChainAccount } from '../provider.js'

export const KAMINO_LEND = new PublicKey('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD')

/** klend's `NULL_PUBKEY`: configured to be no account. */
const NULL_ADDRESS = new PublicKey('nu11111111111111111111111111111111111111111')

const RESERVE_BYTES = 8624
const CURVE_POINTS = 11
/** Status 0 is active; 1 obsolete, 2 hidden. */
const ACTIVE = 0n

/** The numbers that Kamino scales ("Sf") are value * 2^60. */
export const SCALE_BITS = 60n
export const SCALE = 1n << SCALE_BITS

/**
 * What a reserve's yearly rates are counted by (klend's `InterestRateBasis`): slots, of which its year has 63,072,000 however long they are,
 * or seconds of the chain's clock. Reserves of klend 1.25 and later have seconds, and older ones once they are migrated.
 */
export type RateBasis = 'slot' | 'second'
const RATE_BASES: readonly RateBasis[] = ['slot', 'second']

/** A point of the borrow-rate curve, both in basis points. */
export interface CurvePoint {
  utilizationBps: bigint
  rateBps: bigint
}

/** The price sources that a refresh has to name, each null where the reserve does not use it. */
export interface Oracles {
  pyth: PublicKey | null
  switchboard: PublicKey | null
  switchboardTwap: PublicKey | null
  scope: PublicKey | null
}

/** What we read of a Kamino reserve; amounts are base units, those ending in `Scaled` times 2^60. */
export interface Reserve {
  market: PublicKey
  mint: PublicKey
  /** The account that holds what is not lent. */
  supplyVault: PublicKey
  /** The mint of its shares (cTokens). */
  shareMint: PublicKey
  /** The token program of the asset. */
  tokenProgram: PublicKey
  decimals: number
  rateBasis: RateBasis
  /** Up to when there is interest in it: by the slot, or by Unix time. */
  lastSlot: bigint
  lastUnixSeconds: bigint
  available: bigint
  debtScaled: bigint
  protocolFeesScaled: bigint
  /** Fees owed to referrers, paid out or not yet; nothing we do changes them. */
  referrerFeesScaled: bigint
  priceScaled: bigint
  shareSupply: bigint
  isActive: boolean
  hasFarm: boolean
  hostFeeBps: bigint
  takeRatePercent: bigint
  loanToValuePercent: bigint
  curve: readonly CurvePoint[]
  oracles: Oracles
}

/**
 * Reads a Reserve account of klend (offsets with the discriminator; klend's `state/reserve.rs`).
 * @throws ProviderError of kind `protocol` where it is none
 */
export function readReserve(account: ChainAccount | null | undefined): Reserve {
  const { number, key } = readAccount('kamino-lend', account, {
    what: 'a reserve',
    owner: KAMINO_LEND,
    length: RESERVE_BYTES,
    name: 'account:Reserve',
  })
  const oracle = (offset: number): PublicKey | null => {
    const address = key(offset)
    // Kamino writes either of the two where there is none.
    return address.equals(PublicKey.default) || address.equals(NULL_ADDRESS) ? null : address
  }
  return {
    market: key(32),
    mint: key(128),
    supplyVault: key(160),
    shareMint: key(2560),
    tokenProgram: key(408),
    decimals: Number(number(272, 8)),
    rateBasis: rateBasisOf(number(4865, 1), number(28, 4)),
    lastSlot: number(16, 8),
    lastUnixSeconds: number(28, 4),
    available: number(224, 8),
    debtScaled: number(232, 16),
    protocolFeesScaled: number(344, 16),
    referrerFeesScaled: number(360, 16) + number(376, 16),
    priceScaled: number(248, 16),
    shareSupply: number(2592, 8),
    isActive: number(4856, 1) === ACTIVE,
    hasFarm: !key(64).equals(PublicKey.default),
    hostFeeBps: number(4858, 2),
    takeRatePercent: number(4870, 1),
    loanToValuePercent: number(4872, 1),
    curve: Array.from({ length: CURVE_POINTS }, (_, index) => ({
      utilizationBps: number(4920 + 8 * index, 4),
      rateBps: number(4924 + 8 * index, 4),
    })),
    oracles: {
      pyth: oracle(5224),
      switchboard: oracle(5160),
      switchboardTwap: oracle(5192),
      scope: oracle(5112),
    },
  }
}

/** @throws ProviderError of kind `protocol`: what a position is worth by another basis nobody can say */
function rateBasisOf(value: bigint, lastUnixSeconds: bigint): RateBasis {
  const basis = RATE_BASES[Number(value)]
  if (!basis) throw protocolError('kamino-lend', `a reserve counts its rates by an unknown basis (${value})`)
  if (basis === 'second' && lastUnixSeconds === 0n) {
    throw protocolError('kamino-lend', 'a reserve counts its interest from no time')
  }
  return basis
}
