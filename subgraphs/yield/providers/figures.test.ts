import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProviderError } from '../../../kernel/provider-error.js'
import { strategyOf } from '../domain/strategy.js'
import { startBankHarness } from '../../../test/harness/bank.js'
import { compoundYearly, divideUp, toFraction } from './fixed-point.js'
import type { Market } from './provider.js'

const harness = startBankHarness()

const marketOf = (provider: string, symbol: string): Market => {
  const found = harness.markets.find((market) => market.provider.name === provider && market.asset.symbol === symbol)
  if (!found) throw new Error('no such market')
  return found
}

describe('the figures of a strategy', () => {
  // By hand from the seeded accounts: rate on the curve at debt / supply, less the protocol's take, compounded by the slot;
  // for Jupiter the simple rate that its own pages show.
  it.each([
    ['beta', 'USDC', 3.81, 5.65, 80, 200_000_000],
    ['beta', 'USDT', 1.56, 3.72, 75, 59_970_000],
    ['beta', 'SOL', 3.42, 5.76, 74, 360_000_000],
  ] as const)('of %s %s are those of its reserve', (provider, symbol, supply, borrow, loanToValue, tvl) => {
    const market = marketOf(provider, symbol)
    const state = harness.stateOf(market)
    const strategy = strategyOf(market, state, state.figures.priceUsd)
    expect(strategy.apy.supply?.percent).toBeCloseTo(supply, 2)
    expect(strategy.apy.borrow?.percent).toBeCloseTo(borrow, 2)
    expect(strategy.apy.rewardsOnly).toEqual({ percent: 0, annualized: 0 })
    expect(strategy.risk).toEqual({ maxLtv: loanToValue / 100, maxLtvPercent: loanToValue })
    expect(strategy.liquidity.tvlUsd).toBeCloseTo(tvl, 0)
    expect(strategy.id).toBe(`beta:${market.asset.mint.toBase58()}:${market.addresses.marketOrVault.toBase58()}`)
  })

  it.each([
    ['USDC', 3.57, 0.5, 400_000_000],
    ['USDT', 3.4, 0, 90_000_000],
    ['SOL', 2.46, 0, 144_000_000],
  ] as const)(
    'of alpha_lend %s have rewards apart, and null for what the protocol does not do',
    (symbol, supply, rewards, tvl) => {
      const market = marketOf('alpha_lend', symbol)
      const price = harness.stateOf(marketOf('beta', symbol)).figures.priceUsd
      const strategy = strategyOf(market, harness.stateOf(market), symbol === 'USDT' ? toFraction(1n, 1n) : price)
      expect(strategy.apy.supply?.percent).toBeCloseTo(supply, 2)
      expect(strategy.apy.rewardsOnly?.percent).toBeCloseTo(rewards, 6)
      expect(strategy.apy.totalWithRewards?.percent).toBeCloseTo(supply + rewards, 2)
      expect(strategy.apy.borrow).toBeNull()
      expect(strategy.risk).toEqual({ maxLtv: null, maxLtvPercent: null })
      expect(strategy.liquidity.tvlUsd).toBeCloseTo(tvl, 0)
      expect(strategy.liquidity.totalBorrowUsd).toBeNull()
    },
  )
})

describe('an account that is not what it should be', () => {
  it.each([
    ['is not there', () => null],
    ['belongs to another program', (data: Buffer) => ({ owner: PublicKey.default, data })],
    ['is too short', (data: Buffer, owner: PublicKey) => ({ owner, data: data.subarray(0, 90) })],
    ['is of another kind', (data: Buffer, owner: PublicKey) => ({ owner, data: Buffer.from(data).fill(0, 0, 8) })],
  ] as const)('and %s makes the provider unusable, not wrong', (_what, change) => {
    for (const market of harness.markets.slice(0, 2)) {
      const accounts = market.accounts.map((key) => harness.account(key))
      const [first] = accounts
      if (!first) throw new Error('no account')
      const changed = change(first.data, first.owner)
      const time = { slot: 3_600_000_000n, unixSeconds: 1_800_000_000n }
      expect(() => market.read([changed && { ...changed, lamports: 1 }, ...accounts.slice(1)], time)).toThrow(
        ProviderError,
      )
    }
  })
})

describe("a reserve of Kamino's", () => {
  const market = marketOf('beta', 'USDT')
  const stored = () => harness.account(market.addresses.reserve)
  const reserveBy = (basis: number, lastSeconds?: number) => {
    const account = stored()
    if (!account) throw new Error('no reserve')
    const data = Buffer.from(account.data)
    data.writeUInt8(basis, 4865)
    if (lastSeconds !== undefined) data.writeUInt32LE(lastSeconds, 28)
    return { ...account, data }
  }
  const worthAfter = (basis: number, slots: bigint, seconds: bigint): bigint => {
    const { slot, unixSeconds } = harness.bank.slots.current()
    const time = { slot: BigInt(slot) + slots, unixSeconds: BigInt(unixSeconds) + seconds }
    return market.read([reserveBy(basis)], time).worthOf(10n ** 12n)
  }
  const DAY = 86_400n

  it('that counts by the second earns by the clock, however long slots are, and one that counts by the slot by these', () => {
    const asSeeded = worthAfter(1, 2n * DAY, DAY)
    expect(asSeeded).toBeGreaterThan(worthAfter(1, 0n, 0n))
    expect(worthAfter(1, 5n * DAY, DAY)).toBe(asSeeded)
    expect(worthAfter(1, 2n * DAY, 0n)).toBe(worthAfter(1, 0n, 0n))
    expect(worthAfter(0, 5n * DAY, DAY)).toBeGreaterThan(worthAfter(0, 2n * DAY, DAY))
    expect(worthAfter(0, 0n, DAY)).toBe(worthAfter(0, 0n, 0n))
  })

  it('that counts by the slot pays the more in a year the shorter slots are, and one that counts by the second what it says', () => {
    const ratesBy = (basis: number, slotMicroseconds?: bigint): number[] => {
      const { slot, unixSeconds } = harness.bank.slots.current()
      const time = { slot: BigInt(slot), unixSeconds: BigInt(unixSeconds), slotMicroseconds }
      const { supply, borrow } = market.read([reserveBy(basis)], time).figures.apy
      return [supply, borrow ?? 0n].map((rate) => Math.log1p(Number(rate) / 1e18))
    }
    const asConfigured = ratesBy(0)
    for (const [index, rate] of ratesBy(0, 250_000n).entries())
      expect(rate / (asConfigured[index] ?? 0)).toBeCloseTo(2, 6)
    for (const rates of [ratesBy(0, 500_000n), ratesBy(1), ratesBy(1, 250_000n)]) {
      for (const [index, rate] of rates.entries()) expect(rate / (asConfigured[index] ?? 0)).toBeCloseTo(1, 6)
    }
  })

  it('that counts by what nobody knows, or from no time, is unusable, not wrong', () => {
    expect(() => worthAfter(2, 1n, 1n)).toThrow(ProviderError)
    const time = { slot: 3_600_000_010n, unixSeconds: 1_800_000_005n }
    expect(() => market.read([reserveBy(1, 0)], time)).toThrow(ProviderError)
    expect(() => market.read([reserveBy(0, 0)], time)).not.toThrow()
  })
})

describe('fixed-point arithmetic', () => {
  it('compounds a rate to within a billionth of what floating point says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000_000 }), (millionths) => {
        const exact = Number(compoundYearly(toFraction(BigInt(millionths), 1_000_000n), 63_072_000n)) / 1e18
        const rate = millionths / 1e6
        expect(exact).toBeCloseTo(Math.expm1(63_072_000 * Math.log1p(rate / 63_072_000)), 7)
      }),
    )
  })

  it('divides upwards: the result times the divisor covers the dividend, and one less does not', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 128n), fc.bigInt(1n, 2n ** 64n), (dividend, divisor) => {
        const result = divideUp(dividend, divisor)
        expect(result * divisor >= dividend).toBe(true)
        expect(result === 0n || (result - 1n) * divisor < dividend).toBe(true)
      }),
    )
  })
})
