import { type Keypair, PublicKey, Transaction, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { associatedTokenAddress } from '../../../chains/solana/token.js'
import { holding } from '../../../sandbox/solana/seed.js'
import { outcomeOf } from '../../../test/harness/refusal.js'
import { programAddress, refusalOf, sign, sizeOf, startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { withLookupTable } from '../../../test/harness/yield-lookup-table.js'
import type { YieldDeps } from '../deps.js'
import type { ProviderName } from '../providers/provider.js'
import { broadcastYield } from './broadcast-yield.js'
import { depositYield } from './deposit-yield.js'
import { describeTransaction } from './describe-transaction.js'
import { rebalanceYield, type Rebalance } from './rebalance-yield.js'
import { withdrawYield } from './withdraw-yield.js'
import { findEarnings } from './yield-earnings.js'

const harness = await startYieldHarness()

const WEEK = 7 * 86_400
const of = (wallet: Keypair, provider: ProviderName, asset: string, amount?: string) => ({
  provider,
  asset,
  wallet: wallet.publicKey.toBase58(),
  chainName: 'solana',
  ...(amount !== undefined && { amount }),
})
const sendBy = (deps: YieldDeps, wallet: Keypair, transactions: string[]) =>
  broadcastYield(deps, TENANT, { chainName: 'solana', opSigned: transactions.map((wire) => sign(wallet, wire)) })
const send = (wallet: Keypair, ...transactions: string[]) => sendBy(harness.deps, wallet, transactions)
const deposit = async (wallet: Keypair, provider: ProviderName, asset: string, amount: string) => {
  const built = await depositYield(harness.deps, TENANT, of(wallet, provider, asset, amount))
  await send(wallet, built.transaction)
}
const positionOf = async (wallet: Keypair, provider: ProviderName, asset: string) =>
  (await findEarnings(harness.deps, of(wallet, provider, asset))).position
const rebalance = (
  wallet: Keypair,
  providerOut: ProviderName,
  providerIn: ProviderName,
  asset: string,
  amount: string,
  deps = harness.deps,
) => {
  const input = { ...of(wallet, providerOut, asset, amount), provider: null, providerOut, providerIn }
  return rebalanceYield(deps, TENANT, input)
}
const transactionsOf = (built: Rebalance): string[] =>
  built.mode === 'single_transaction'
    ? [built.transaction.transaction]
    : [built.withdraw.transaction, built.deposit.transaction]

describe('a deposit', () => {
  it.each(['alpha_lend', 'beta'] as const)(
    'into %s earns interest in a week, and all of it comes back to the unit, the wallet alone signing',
    async (provider) => {
      const wallet = await harness.newWallet()
      const { asset } = harness.marketOf(provider, 'USDC')
      await deposit(wallet, provider, 'USDC', '500')
      expect(await harness.balanceOf(wallet.publicKey, asset.mint)).toBe(500_000_000n)
      await harness.advance(WEEK)
      expect(Number(await positionOf(wallet, provider, 'usdc'))).toBeGreaterThan(500.3)
      const { transaction } = await withdrawYield(harness.deps, TENANT, { ...of(wallet, provider, 'USDC'), all: true })
      expect(Transaction.from(Buffer.from(transaction, 'base64')).signatures).toHaveLength(1)
      await send(wallet, transaction)
      expect(await positionOf(wallet, provider, 'USDC')).toBeNull()
      expect((await harness.balanceOf(wallet.publicKey, asset.mint)) > 1_000_300_000n).toBe(true)
    },
  )

  it('of SOL wraps it on the way in and unwraps it on the way out', async () => {
    const wallet = await harness.newWallet()
    const lamports = () => harness.client.connection.getBalance(wallet.publicKey)
    for (const provider of ['alpha_lend', 'beta'] as const) {
      await deposit(wallet, provider, 'SOL', '10')
      const between = await lamports()
      await send(wallet, (await withdrawYield(harness.deps, TENANT, of(wallet, provider, 'SOL', '4'))).transaction)
      // 4 SOL less the fee; nothing stays wrapped.
      const gained = (await lamports()) - between
      expect([gained > 3_999_980_000, gained < 4_000_000_010]).toEqual([true, true])
      expect(await harness.balanceOf(wallet.publicKey, harness.marketOf(provider, 'SOL').asset.mint)).toBe(0n)
    }
  })

  it('that the wallet cannot pay, and a withdrawal above the position, are refused before anything is signed', async () => {
    const wallet = await harness.newWallet()
    const unpayable = depositYield(harness.deps, TENANT, of(wallet, 'beta', 'USDC', '1000.000001'))
    expect(await outcomeOf(unpayable)).toBe('validation_error')
    await deposit(wallet, 'beta', 'USDC', '100')
    const refused = await refusalOf(withdrawYield(harness.deps, TENANT, of(wallet, 'beta', 'USDC', '101')))
    expect(refused).toMatchObject({
      code: 'insufficient_position',
      details: expect.stringMatching(/^The position is (99|100)\.\d+ USDC/),
    })
    const nothing = withdrawYield(harness.deps, TENANT, of(wallet, 'alpha_lend', 'USDC', '1'))
    expect(await outcomeOf(nothing)).toBe('insufficient_position')
  })
})

it('a position takes one question to the chain, and a transaction four in two steps', async () => {
  const wallet = await harness.newWallet()
  await deposit(wallet, 'beta', 'USDC', '100')
  const asked = async (work: () => Promise<unknown>): Promise<string[]> => {
    const from = harness.rpc.calls.length
    await work()
    return harness.rpc.calls.slice(from).map(({ method }) => method)
  }
  expect(await asked(() => positionOf(wallet, 'beta', 'USDC'))).toEqual(['getMultipleAccounts'])
  const questions = await asked(() => withdrawYield(harness.deps, TENANT, of(wallet, 'beta', 'USDC', '40')))
  // What is asked in one step may arrive in either order.
  expect([questions.slice(0, 2).sort(), questions.slice(2).sort()]).toEqual([
    ['getLatestBlockhash', 'getMultipleAccounts'],
    ['getRecentPrioritizationFees', 'simulateTransaction'],
  ])
})

describe('a rebalance', () => {
  it.each([
    ['alpha_lend', 'beta'],
    ['beta', 'alpha_lend'],
    ['beta', 'beta'],
  ] as const)('from %s to %s is one transaction, and not a unit is lost but by rounding', async (out, into) => {
    const wallet = await harness.newWallet()
    await deposit(wallet, out, 'USDT', '600')
    const built = await rebalance(wallet, out, into, 'USDT', '250')
    expect(built.mode).toBe('single_transaction')
    await send(wallet, ...transactionsOf(built))
    const positions = await Promise.all(
      ['alpha_lend', 'beta'].map((name) => positionOf(wallet, name as ProviderName, 'USDT')),
    )
    const total = positions.reduce((sum, position) => sum + Number(position ?? 0), 0)
    const kept = await harness.balanceOf(wallet.publicKey, harness.marketOf(out, 'USDT').asset.mint)
    expect([kept >= 400_000_000n, kept <= 400_000_002n]).toEqual([true, true])
    expect(total).toBeGreaterThanOrEqual(599.999994)
    expect(total).toBeLessThan(600.01)
    if (out !== into) expect(Number(await positionOf(wallet, into, 'USDT'))).toBeCloseTo(250, 3)
  })

  it('that is too wide for one packet is two transactions, and both together do the same', async () => {
    const wallet = await harness.newWallet()
    await deposit(wallet, 'alpha_lend', 'PYUSD', '1000')
    const built = await rebalance(wallet, 'alpha_lend', 'beta', 'PYUSD', '700')
    expect(built.mode).toBe('two_transaction')
    for (const transaction of transactionsOf(built)) expect(sizeOf(transaction)).toBeLessThanOrEqual(1232)
    const { transactionHashes } = await send(wallet, ...transactionsOf(built))
    expect(transactionHashes).toHaveLength(2)
    expect(Number(await positionOf(wallet, 'beta', 'PYUSD'))).toBeCloseTo(700, 3)
  })

  it('of a wallet that holds nothing else needs a unit less than comes out, and leaves it there', async () => {
    const wallet = await harness.newWallet()
    await deposit(wallet, 'alpha_lend', 'USDT', '1000')
    const built = await rebalance(wallet, 'alpha_lend', 'beta', 'USDT', '700')
    const moves = transactionsOf(built).flatMap((wire) => describeTransaction(harness.known, wire).instructions)
    expect(moves.flatMap(({ amount }) => amount?.decimal ?? [])).toEqual(['700', '699.999999'])
    await send(wallet, ...transactionsOf(built))
    expect(Number(await positionOf(wallet, 'beta', 'USDT'))).toBeCloseTo(700, 3)
  })

  it('built right after somebody touched the market has units for the interest that is counted when it lands', async () => {
    const deps = await harness.anotherProcess({ config: await withLookupTable(harness) })
    const [wallet, other] = await Promise.all([harness.newWallet(), harness.newWallet()])
    await deposit(wallet, 'alpha_lend', 'PYUSD', '1000')
    // The reserve of PYUSD has the dearest interest to count; within the second of a touch there is none.
    await deposit(other, 'beta', 'PYUSD', '100')
    const built = await rebalance(wallet, 'alpha_lend', 'beta', 'PYUSD', '700', deps)
    await harness.advance(60)
    await sendBy(deps, wallet, transactionsOf(built))
    expect(Number(await positionOf(wallet, 'beta', 'PYUSD'))).toBeCloseTo(700, 3)
  })

  it('whose leg alone does not fit is refused', async () => {
    const wallet = await harness.newWallet()
    await deposit(wallet, 'alpha_lend', 'EURC', '10')
    const outcome = await outcomeOf(rebalance(wallet, 'alpha_lend', 'beta', 'EURC', '5'))
    expect(outcome).toBe('rebalance_transaction_too_large')
  })

  it('fits into one transaction with a look-up table, which is used only where it is needed', async () => {
    const wallet = await harness.newWallet()
    await deposit(wallet, 'alpha_lend', 'PYUSD', '1000')
    const deps = await harness.anotherProcess({ config: await withLookupTable(harness) })
    const built = await rebalance(wallet, 'alpha_lend', 'beta', 'PYUSD', '700', deps)
    const [wide = ''] = transactionsOf(built)
    expect([built.mode, VersionedTransaction.deserialize(Buffer.from(wide, 'base64')).version]).toEqual([
      'single_transaction',
      0,
    ])
    await sendBy(deps, wallet, [wide])
    expect(Number(await positionOf(wallet, 'beta', 'PYUSD'))).toBeCloseTo(700, 3)
    const table = await deps.chain.lookupTable()
    expect(describeTransaction(harness.known, wide, table)).toMatchObject({
      isBuiltByThisService: true,
      warnings: [],
    })
    expect(describeTransaction(harness.known, wide).isBuiltByThisService).toBe(false)
    const narrow = await withdrawYield(deps, TENANT, of(wallet, 'alpha_lend', 'PYUSD', '1'))
    expect(() => Transaction.from(Buffer.from(narrow.transaction, 'base64'))).not.toThrow()
  })
})

describe('what is built', () => {
  it('never pays into an account that the wallet has given away', async () => {
    const wallet = await harness.newWallet()
    const { asset } = harness.marketOf('beta', 'USDC')
    await deposit(wallet, 'beta', 'USDC', '100')
    const address = associatedTokenAddress(wallet.publicKey, asset.mint).toBase58()
    const thief = PublicKey.unique().toBase58()
    await harness.control.setAccounts([holding(address, { owner: thief, mint: asset.mint.toBase58(), amount: 5n })])
    const withdrawal = withdrawYield(harness.deps, TENANT, of(wallet, 'beta', 'USDC', '1'))
    expect(await outcomeOf(withdrawal)).toBe('validation_error')
  })

  it('has run without error before it is handed out: what would fail is refused with the cause', async () => {
    const wallet = await harness.newWallet()
    await harness.control.setAccounts([
      {
        address: wallet.publicKey.toBase58(),
        lamports: 1_000_000n,
        owner: '1'.repeat(32),
        executable: false,
        data: new Uint8Array(),
      },
    ])
    const refused = await refusalOf(depositYield(harness.deps, TENANT, of(wallet, 'alpha_lend', 'USDC', '1')))
    expect(refused).toMatchObject({
      code: 'broadcast_simulation_failed',
      details: expect.stringMatching(/custom program error/),
    })
  })

  it('is the same again for the same idempotency key', async () => {
    const wallet = await harness.newWallet()
    const idempotency = { key: wallet.publicKey.toBase58(), fingerprint: 'one', onReplay: () => undefined }
    const build = () => depositYield(harness.deps, { ...TENANT, idempotency }, of(wallet, 'beta', 'USDC', '1'))
    expect(await build()).toEqual(await build())
  })

  it('needs an amount, or to be of everything, and not both, and says so', async () => {
    const wallet = await harness.newWallet()
    const { amount = '', ...input } = of(wallet, 'beta', 'USDC', '1')
    const missing = 'is required, unless all is true'
    for (const [asked, message] of [
      [{ all: null }, missing],
      [{ all: false }, missing],
      [{ all: true, amount }, 'must be left out where all is true'],
    ] as const) {
      const errors = [{ field: 'amount', message }]
      const withdrawn = async () => withdrawYield(harness.deps, TENANT, { ...input, ...asked })
      await expect(withdrawn()).rejects.toMatchObject({ errors })
      const moved = async () => rebalanceYield(harness.deps, TENANT, { ...input, provider: 'beta', ...asked })
      await expect(moved()).rejects.toMatchObject({ errors })
    }
  })

  it('is refused for a strategy that is switched off', async () => {
    const wallet = await harness.newWallet()
    const { markets } = harness.config
    const deps = await harness.anotherProcess({
      config: { ...harness.config, markets: markets.map((market) => ({ ...market, isEnabled: false })) },
    })
    for (const operation of [depositYield, withdrawYield]) {
      const move = operation(deps, TENANT, of(wallet, 'beta', 'USDC', '1'))
      expect(await outcomeOf(move)).toBe('strategy_disabled')
    }
  })

  it.each([
    ['an unknown chain', { chainName: 'moon' }],
    ['an unknown asset', { asset: 'DOGE' }],
    ['a bad wallet', { wallet: 'wallet' }],
    ['a wallet that cannot sign', { wallet: programAddress() }],
    ['an amount of zero', { amount: '0' }],
    ['an amount below what the token can express', { amount: '0.0000004' }],
    ['an amount that no account can hold', { amount: '99999999999999999999' }],
  ])('is refused for %s, with nothing asked of the chain', async (_what, change) => {
    const wallet = await harness.newWallet()
    const before = harness.rpc.calls.length
    const input = { ...of(wallet, 'beta', 'USDC', '1'), ...change }
    for (const operation of [depositYield, withdrawYield]) {
      const move = (async () => operation(harness.deps, TENANT, input))()
      expect(await outcomeOf(move)).toBe('validation_error')
    }
    expect(harness.rpc.calls.length).toBe(before)
  })

  it.each([
    ['0', 'must be a finite number above 0'],
    ['99999999999999999999', 'must be at most 18446744073709.551615'],
    ['1'.repeat(31), 'must have at most 30 digits before the point'],
  ])('is told what is wrong with the amount %s', async (amount, message) => {
    const move = depositYield(harness.deps, TENANT, of(await harness.newWallet(), 'beta', 'USDC', amount))
    await expect(move).rejects.toMatchObject({ errors: [{ field: 'amount', message }] })
  })
})
