import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { associatedTokenAddress, createAssociatedTokenAccountIdempotent } from '../../../chains/solana/token.js'
import { startBankHarness } from '../../../test/harness/bank.js'
import type { Market } from '../providers/provider.js'
import { PROVIDERS } from '../providers/registry.js'
import { compileTransaction } from './compile-transaction.js'
import { describeTransaction, type TransactionView } from './describe-transaction.js'
import { unwrapSol, wrapSol } from './token-holding.js'

const harness = startBankHarness()

const BUDGET = { units: 200_000, microLamports: 1_000 }
const other = Keypair.generate().publicKey
const marketOf = (provider: string, symbol: string): Market => {
  const found = harness.markets.find((market) => market.provider.name === provider && market.asset.symbol === symbol)
  if (!found) throw new Error('no such market')
  return found
}
const verify = (instructions: readonly TransactionInstruction[], budget = BUDGET): TransactionView => {
  const envelope = { wallet: harness.wallet.publicKey, blockhash: PublicKey.default.toBase58(), lookupTable: undefined }
  const wire = compileTransaction(instructions, budget, envelope)
  if (!wire) throw new Error('too large')
  const known = { providers: PROVIDERS, markets: harness.markets }
  return describeTransaction(known, Buffer.from(wire).toString('base64'))
}
/** The instruction with one account replaced. */
const withKey = (instruction: TransactionInstruction | undefined, at: number, pubkey: PublicKey) => {
  if (!instruction) throw new Error('no instruction')
  instruction.keys = instruction.keys.map((key, index) => (index === at ? { ...key, pubkey } : key))
  return [instruction]
}

describe('a transaction of this service', () => {
  it('is told from its bytes: what goes where, and that it is ours', () => {
    const wallet = harness.wallet.publicKey
    const source = marketOf('alpha_lend', 'USDC')
    const target = marketOf('beta', 'USDC')
    const verified = verify([
      createAssociatedTokenAccountIdempotent({ payer: wallet, owner: wallet, mint: target.addresses.shareMint }),
      ...harness.stateOf(source).withdrawLeg(wallet, { kind: 'exact', amount: 25_000_000n }),
      ...harness.stateOf(target).depositLeg(wallet, 25_000_000n),
    ])
    expect(verified).toMatchObject({ feePayer: wallet.toBase58(), isBuiltByThisService: true, warnings: [] })
    const [withdrawal, deposit] = verified.instructions.slice(-2)
    expect(withdrawal).toMatchObject({
      kind: 'withdraw',
      provider: 'alpha_lend',
      symbol: 'USDC',
      amount: { baseUnits: '25000000', unit: 'asset', decimal: '25' },
      owner: wallet.toBase58(),
      receiver: associatedTokenAddress(wallet, source.asset.mint).toBase58(),
    })
    expect(deposit).toMatchObject({
      kind: 'deposit',
      provider: 'beta',
      receiver: associatedTokenAddress(wallet, target.addresses.shareMint).toBase58(),
    })
  })

  it('of every market, of a wide one and of SOL is known as ours', () => {
    const wallet = harness.wallet.publicKey
    for (const market of harness.markets.filter(({ asset }) => asset.symbol !== 'EURC')) {
      const state = harness.stateOf(market)
      const { mint, isNative } = market.asset
      const address = associatedTokenAddress(wallet, mint)
      const holding = { wallet, mint, address, exists: true, isOursToClose: true, amount: 0n }
      const around = isNative
        ? { before: wrapSol(holding, 5n), after: [unwrapSol(holding)] }
        : { before: [], after: [] }
      for (const leg of [state.depositLeg(wallet, 5_000n), state.withdrawLeg(wallet, { kind: 'all', shares: 9n })]) {
        const { isBuiltByThisService, warnings } = verify([...around.before, ...leg, ...around.after])
        expect([market.provider.name, market.asset.symbol, isBuiltByThisService, warnings]).toEqual([
          market.provider.name,
          market.asset.symbol,
          true,
          [],
        ])
      }
    }
  })
})

describe('a transaction that is not ours', () => {
  const leg = (provider: string, kind: 'deposit' | 'withdraw') => {
    const state = harness.stateOf(marketOf(provider, 'USDC'))
    const wallet = harness.wallet.publicKey
    return kind === 'deposit' ? state.depositLeg(wallet, 7n) : state.withdrawLeg(wallet, { kind: 'exact', amount: 7n })
  }

  it.each([
    ['beta', 'withdraw', 8],
    ['beta', 'deposit', 8],
    ['alpha_lend', 'withdraw', 2],
    ['alpha_lend', 'deposit', 2],
  ] as const)('is told where a %s %s pays into another account', (provider, kind, receiverAt) => {
    const { isBuiltByThisService, warnings, instructions } = verify(withKey(leg(provider, kind)[0], receiverAt, other))
    expect([isBuiltByThisService, warnings.length]).toEqual([false, 1])
    expect(instructions.at(-1)).toMatchObject({ kind, receiver: other.toBase58(), isAsBuilt: false })
  })

  it('is told where any account of a leg is replaced', () => {
    for (const provider of ['alpha_lend', 'beta']) {
      for (const kind of ['deposit', 'withdraw'] as const) {
        const [first] = leg(provider, kind)
        for (let at = 1; at < (first?.keys.length ?? 0); at += 1) {
          const verified = verify(withKey(leg(provider, kind)[0], at, other))
          expect([provider, kind, at, verified.isBuiltByThisService]).toEqual([provider, kind, at, false])
        }
      }
    }
  })

  it('is told where it does more: a transfer, an account for another owner, another program, an absurd fee', () => {
    const wallet = harness.wallet.publicKey
    const { mint } = marketOf('beta', 'USDC').asset
    const deposit = leg('beta', 'deposit')
    const additions = [
      SystemProgram.transfer({ fromPubkey: wallet, toPubkey: other, lamports: 1 }),
      createAssociatedTokenAccountIdempotent({ payer: wallet, owner: other, mint }),
      SystemProgram.assign({ accountPubkey: wallet, programId: other }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 50_000_000 }),
    ]
    for (const addition of additions) {
      const { isBuiltByThisService, warnings } = verify([...deposit, addition])
      expect([isBuiltByThisService, warnings.length]).toEqual([false, 1])
    }
    expect(
      verify([SystemProgram.transfer({ fromPubkey: wallet, toPubkey: other, lamports: 1 })]).isBuiltByThisService,
    ).toBe(false)
  })

  it('is told where another wallet has to sign as well', () => {
    const wallet = harness.wallet.publicKey
    const transaction = new Transaction({
      feePayer: other,
      blockhash: PublicKey.default.toBase58(),
      lastValidBlockHeight: 0,
    })
    transaction.add(...leg('beta', 'deposit'))
    const wire = transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64')
    const verified = describeTransaction({ providers: PROVIDERS, markets: harness.markets }, wire)
    expect(verified.signers).toEqual([other.toBase58(), wallet.toBase58()])
    expect(verified.isBuiltByThisService).toBe(false)
  })
})
