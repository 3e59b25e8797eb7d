/** A token that the sandbox's lending markets are in. */
export interface MarketToken {
  symbol: string
  /** Base58. */
  mint: string
  decimals: number
}

/** One point of a Kamino borrow-rate curve, in basis points. */
export type CurvePoint = readonly [utilizationBps: number, rateBps: number]

/** Reserves made first have vaults that follow from market and mint, those made later from the reserve itself. */
export type VaultSeeds = 'market_and_mint' | 'reserve'

/** The figures that a market starts with: amounts in whole tokens, rates in basis points, prices in US dollars. */
export interface MarketFigures {
  priceUsd: number
  kamino: {
    supply: number
    debt: number
    /** What one share is worth. */
    sharePrice: number
    loanToValuePercent: number
    liquidationPercent: number
    takeRatePercent: number
    curve: readonly CurvePoint[]
    /** What the addresses of its vaults and share mint follow from; mainnet has both kinds beside each other. */
    vaultsFrom: VaultSeeds
    /** What its interest grows with: reserves made first have slots, later ones seconds. */
    interestBy: 'slot' | 'second'
    /** How many reserves are refreshed along with it: what makes a transaction large. */
    companions: number
  }
  jupiter: {
    supply: number
    debt: number
    liquidityPrice: number
    sharePrice: number
    feeBps: number
    model: {
      version: 1 | 2
      rateAtZero: number
      kink1: number
      rateAtKink1: number
      rateAtMax: number
      kink2: number
      rateAtKink2: number
    }
    rewardsYearly: number
  }
}

const STABLE_CURVE: readonly CurvePoint[] = [
  [0, 1],
  [8000, 550],
  [9000, 700],
  [10_000, 8000],
]
const ONE_KINK = { version: 1, rateAtZero: 0, kink1: 8500, rateAtKink1: 600, rateAtMax: 2500, kink2: 0, rateAtKink2: 0 } as const // prettier-ignore

/** The dollar market that most others vary. */
const USDC: MarketFigures = {
  priceUsd: 1,
  kamino: {
    supply: 200_000_000,
    debt: 160_000_000,
    sharePrice: 1.08,
    loanToValuePercent: 80,
    liquidationPercent: 85,
    takeRatePercent: 15,
    curve: STABLE_CURVE,
    vaultsFrom: 'reserve',
    interestBy: 'second',
    companions: 0,
  },
  jupiter: {
    supply: 400_000_000,
    debt: 300_000_000,
    liquidityPrice: 1.05,
    sharePrice: 1.06,
    feeBps: 1000,
    model: ONE_KINK,
    rewardsYearly: 2_000_000,
  },
}

/**
 * The sandbox's markets by symbol. PYUSD is wide: a rebalance into it does not fit one packet. EURC is too wide for any
 * transaction: its Kamino leg alone does not fit.
 */
export const MARKETS: Readonly<Record<string, MarketFigures>> = {
  USDC,
  USDT: {
    priceUsd: 0.9995,
    kamino: {
      ...USDC.kamino,
      supply: 60_000_000,
      debt: 30_000_000,
      sharePrice: 1.03,
      loanToValuePercent: 75,
      liquidationPercent: 80,
      curve: [
        [0, 1],
        [8500, 620],
        [10_000, 6000],
      ],
      vaultsFrom: 'market_and_mint',
      interestBy: 'slot',
    },
    jupiter: {
      supply: 90_000_000,
      debt: 70_000_000,
      liquidityPrice: 1.04,
      sharePrice: 1.045,
      feeBps: 1000,
      model: {
        version: 2,
        rateAtZero: 0,
        kink1: 8000,
        rateAtKink1: 500,
        rateAtMax: 4000,
        kink2: 9300,
        rateAtKink2: 900,
      },
      rewardsYearly: 0,
    },
  },
  SOL: {
    priceUsd: 180,
    kamino: {
      supply: 2_000_000,
      debt: 1_500_000,
      sharePrice: 1.12,
      loanToValuePercent: 74,
      liquidationPercent: 79,
      takeRatePercent: 20,
      curve: [
        [0, 1],
        [7500, 560],
        [10_000, 30_000],
      ],
      vaultsFrom: 'market_and_mint',
      interestBy: 'slot',
      companions: 0,
    },
    jupiter: {
      supply: 800_000,
      debt: 520_000,
      liquidityPrice: 1.02,
      sharePrice: 1.03,
      feeBps: 1500,
      model: { ...ONE_KINK, kink1: 8000, rateAtKink1: 550, rateAtMax: 10_000 },
      rewardsYearly: 0,
    },
  },
  PYUSD: {
    ...USDC,
    kamino: { ...USDC.kamino, supply: 40_000_000, debt: 26_000_000, companions: 8 },
    jupiter: { ...USDC.jupiter, supply: 30_000_000, debt: 18_000_000, rewardsYearly: 0 },
  },
  EURC: {
    ...USDC,
    priceUsd: 1.08,
    kamino: { ...USDC.kamino, supply: 20_000_000, debt: 9_000_000, companions: 13 },
    jupiter: { ...USDC.jupiter, supply: 15_000_000, debt: 10_000_000, rewardsYearly: 0 },
  },
}

/** Whole tokens in base units; figures have at most six decimals. */
export function baseUnits(tokens: number, decimals: number): bigint {
  return (BigInt(Math.round(tokens * 1e6)) * 10n ** BigInt(decimals)) / 1_000_000n
}
