import { PublicKey, TransactionInstruction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { startBankHarness } from '../harness/bank.js'
import type { Market, YieldProvider } from '../../subgraphs/yield/providers/provider.js'

const AMOUNT = 1_000_000n

/** What every yield provider owes to the domain, whose rules rely on it for a provider that they do not know. */
export function itKeepsTheContract(provider: YieldProvider): void {
  describe(`the yield provider ${provider.name}`, () => {
    const harness = startBankHarness()
    const markets = harness.markets.filter((market) => market.provider.name === provider.name)
    const legsOf = (market: Market) => {
      const state = harness.stateOf(market)
      const wallet = harness.wallet.publicKey
      return {
        deposit: state.depositLeg(wallet, AMOUNT),
        withdraw: state.withdrawLeg(wallet, { kind: 'exact', amount: AMOUNT }),
        withdrawAll: state.withdrawLeg(wallet, { kind: 'all', shares: AMOUNT }),
      }
    }

    it('has a name that GraphQL, REST and the markets file can show, and markets to test it with', () => {
      expect(provider.name).toMatch(/^[a-z][a-z0-9_]*$/)
      expect(provider.displayName).not.toBe('')
      expect(markets.length).toBeGreaterThan(0)
    })

    it('reads figures that make sense: shares are worth more than none, and none are worth nothing', () => {
      for (const market of markets) {
        const { figures, worthOf } = harness.stateOf(market)
        expect(figures.apy.supply).toBeGreaterThanOrEqual(0n)
        expect(figures.totalSupply).toBeGreaterThanOrEqual(figures.totalBorrow ?? 0n)
        expect(worthOf(0n)).toBe(0n)
        expect(worthOf(2n * AMOUNT)).toBeGreaterThan(worthOf(AMOUNT))
      }
    })

    it('builds legs of its own programs, which nobody but the wallet signs', () => {
      for (const market of markets)
        for (const instruction of Object.values(legsOf(market)).flat()) {
          expect(provider.programs.some((program) => program.equals(instruction.programId))).toBe(true)
          const signers = instruction.keys.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey.toBase58())
          expect(signers.filter((key) => key !== harness.wallet.publicKey.toBase58())).toEqual([])
        }
    })

    it('tells what each leg does: one move of this amount, of this wallet and this token', () => {
      for (const market of markets)
        for (const [name, leg] of Object.entries(legsOf(market))) {
          const meanings = leg.map((instruction) => provider.describe(instruction))
          const [move, ...others] = meanings.filter((meaning) => meaning?.action !== 'refresh')
          expect(others).toEqual([])
          expect(move?.action).toBe(name === 'deposit' ? 'deposit' : 'withdraw')
          expect(move?.owner?.equals(harness.wallet.publicKey)).toBe(true)
          expect(move?.amount?.value).toBeGreaterThan(0n)
          if (name === 'deposit') expect(move?.amount).toEqual({ value: AMOUNT, unit: 'asset' })
        }
    })

    it('builds the same leg again from its instruction, to the byte, which is how ours are recognised', () => {
      for (const market of markets)
        for (const instruction of Object.values(legsOf(market)).flat())
          expect(market.rebuild(instruction)).toEqual(instruction)
    })

    it('does not recognise what is not its own', () => {
      const [programId = PublicKey.default] = provider.programs
      const unknown = new TransactionInstruction({ programId, keys: [], data: Buffer.from([255, 255]) })
      const foreign = new TransactionInstruction({ programId: PublicKey.default, keys: [], data: Buffer.alloc(16) })
      for (const instruction of [unknown, foreign]) {
        expect(provider.describe(instruction)).toBeUndefined()
        for (const market of markets) expect(market.rebuild(instruction)).toBeUndefined()
      }
    })

    it('does not read a market without its accounts', () => {
      const time = { slot: 3_600_000_000n, unixSeconds: 1_800_000_000n }
      for (const market of markets)
        expect(() =>
          market.read(
            market.accounts.map(() => null),
            time,
          ),
        ).toThrow()
    })
  })
}
