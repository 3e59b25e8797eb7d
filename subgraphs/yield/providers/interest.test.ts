import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BankHarness, startBankHarness } from '../../../test/harness/bank.js'
import type { Market } from './provider.js'

const DAY = 86_400
const NARROW = (market: Market) => market.asset.symbol !== 'EURC'
const nameOf = ({ provider, asset }: Market) => `${provider.name} ${asset.symbol}`

let harness: BankHarness
beforeEach(() => {
  harness = startBankHarness()
})
afterEach(() => {
  harness.bank.close()
})

const sharesOf = (market: Market, owner = harness.wallet.publicKey) =>
  harness.balanceOf(market.addresses.shareMint, owner)
const tokensOf = (market: Market, owner = harness.wallet.publicKey) => harness.balanceOf(market.asset.mint, owner)

describe('a position', () => {
  it('is worth to the unit what the chain pays for it, after a day, a month and a year', () => {
    const owner = harness.wallet.publicKey
    const markets = harness.markets.filter(NARROW)
    const paid = markets.map(() => 0n)
    for (const market of markets) {
      expect([nameOf(market), harness.run(harness.stateOf(market).depositLeg(owner, 900_000_000n)).error]).toEqual([
        nameOf(market),
        null,
      ])
    }
    for (const [step, days] of [1, 29, 335].entries()) {
      harness.advance(days * DAY)
      for (const [index, market] of markets.entries()) {
        const state = harness.stateOf(market)
        const shares = sharesOf(market) / BigInt(3 - step)
        const before = tokensOf(market)
        const { error } = harness.run(state.withdrawLeg(owner, { kind: 'all', shares }))
        expect([nameOf(market), error, tokensOf(market) - before]).toEqual([
          nameOf(market),
          null,
          state.worthOf(shares),
        ])
        paid[index] = (paid[index] ?? 0n) + state.worthOf(shares)
      }
    }
    for (const [index, market] of markets.entries()) {
      expect([nameOf(market), sharesOf(market), (paid[index] ?? 0n) > 905_000_000n]).toEqual([nameOf(market), 0n, true])
    }
  })
})

describe('money that goes in and out', () => {
  it('never gains by rounding: a deposit is worth its amount or at most two units less', () => {
    const markets = harness.markets.filter(NARROW)
    fc.assert(
      fc.property(
        fc.nat({ max: markets.length - 1 }),
        fc.bigInt(10_000n, 10n ** 10n),
        fc.nat({ max: DAY }),
        (pick, amount, wait) => {
          const market = markets[pick]
          if (!market) return
          harness.advance(wait)
          const owner = harness.wallet.publicKey
          const sharesBefore = sharesOf(market)
          expect(harness.run(harness.stateOf(market).depositLeg(owner, amount)).error).toBeNull()
          const state = harness.stateOf(market)
          const gained = state.worthOf(sharesOf(market)) - state.worthOf(sharesBefore)
          expect(gained <= amount + 1n).toBe(true)
          expect(gained >= amount - 2n).toBe(true)
          const back = state.withdrawLeg(owner, { kind: 'all', shares: sharesOf(market) })
          const worth = state.worthOf(sharesOf(market))
          const tokensBefore = tokensOf(market)
          expect(harness.run(back).error).toBeNull()
          expect(tokensOf(market) - tokensBefore).toBe(worth)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('pays an exact withdrawal in full, and at most two units more, up to the whole position and never above it', () => {
    const markets = harness.markets.filter(NARROW)
    fc.assert(
      fc.property(
        fc.nat({ max: markets.length - 1 }),
        fc.bigInt(100_000n, 10n ** 10n),
        fc.nat({ max: 1000 }),
        fc.nat({ max: DAY }),
        (pick, amount, permille, wait) => {
          const market = markets[pick]
          if (!market) return
          const wallet = harness.newWallet(amount)
          const owner = wallet.publicKey
          expect(harness.run(harness.stateOf(market).depositLeg(owner, amount), wallet).error).toBeNull()
          harness.advance(wait)
          const state = harness.stateOf(market)
          const worth = state.worthOf(sharesOf(market, owner))
          const wanted = (worth * BigInt(permille)) / 1000n + 10n
          const isEnough = wanted <= worth
          const { error } = harness.run(state.withdrawLeg(owner, { kind: 'exact', amount: wanted }), wallet)
          if (!isEnough) {
            expect(error).not.toBeNull()
            return
          }
          expect(error).toBeNull()
          const paid = tokensOf(market, owner)
          expect(paid >= wanted && paid <= wanted + 2n).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })
})
