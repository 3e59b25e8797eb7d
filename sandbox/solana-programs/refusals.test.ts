import { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { startBankHarness } from '../../test/harness/bank.js'
import type { Market } from '../../subgraphs/yield/providers/provider.js'
import { account, namedAddress, tokenAccount } from './account-bytes.js'

const harness = startBankHarness()
for (const market of harness.markets.filter(({ asset }) => asset.symbol === 'USDC')) {
  expect(harness.run(harness.stateOf(market).depositLeg(harness.wallet.publicKey, 1_000_000n)).error).toBeNull()
}

type Kind = 'deposit' | 'withdraw'
const marketOf = (provider: string, symbol = 'USDC'): Market => {
  const found = harness.markets.find((market) => market.provider.name === provider && market.asset.symbol === symbol)
  if (!found) throw new Error('no such market')
  return found
}
const legOf = (provider: string, kind: Kind, amount = 1000n): TransactionInstruction => {
  const state = harness.stateOf(marketOf(provider))
  const wallet = harness.wallet.publicKey
  const leg =
    kind === 'deposit' ? state.depositLeg(wallet, amount) : state.withdrawLeg(wallet, { kind: 'exact', amount })
  const [instruction] = leg
  if (!instruction) throw new Error('no instruction')
  return instruction
}
const withKey = ({ keys, ...leg }: TransactionInstruction, at: number, pubkey: PublicKey): TransactionInstruction =>
  new TransactionInstruction({ ...leg, keys: keys.map((key, index) => (index === at ? { ...key, pubkey } : key)) })
const errorOf = (instruction: TransactionInstruction) => harness.run([instruction]).error
const custom = (code: number) => ({ InstructionError: [0, { Custom: code }] })

describe('the programs refuse, with the numbers of the real ones,', () => {
  it.each([
    ['beta', 'deposit', 0, 6003],
    ['beta', 'withdraw', 0, 6003],
    ['alpha_lend', 'deposit', 0, 6000],
    ['alpha_lend', 'withdraw', 0, 6000],
  ] as const)('%s: a %s of nothing', (provider, kind, amount, code) => {
    expect(errorOf(legOf(provider, kind, BigInt(amount)))).toEqual(custom(code))
  })

  it.each(['alpha_lend', 'beta'])('%s: more than the wallet has, and more than the position', (provider) => {
    expect(errorOf(legOf(provider, 'deposit', 10n ** 13n))).toEqual(custom(1))
    expect(errorOf(legOf(provider, 'withdraw', 10n ** 10n))).toEqual(custom(1))
  })

  it.each(['alpha_lend', 'beta'])('%s: an unknown instruction, and data that is cut short', (provider) => {
    const unknown = legOf(provider, 'deposit')
    unknown.data = Buffer.alloc(16, 9)
    expect(errorOf(unknown)).toEqual(custom(101))
    const short = legOf(provider, 'deposit')
    short.data = short.data.subarray(0, 12)
    expect(errorOf(short)).toEqual(custom(102))
  })

  it('a call of the liquidity layer that is not from the lending program', () => {
    const instruction = legOf('alpha_lend', 'deposit')
    instruction.programId = new PublicKey('jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC')
    expect(errorOf(instruction)).toEqual(custom(101))
  })
})

describe('no account of an instruction can be replaced by another', () => {
  /** Accounts that nothing is paid to and nothing is read of, in the real programs too. */
  const UNREAD: Readonly<Record<string, readonly number[]>> = { 'alpha_lend withdraw': [11] }
  /** Where the real program, too, pays into any account of the right mint: the server has to look. */
  const UNOWNED: Readonly<Record<string, readonly number[]>> = { 'beta deposit': [8], 'beta withdraw': [8] }

  it.each([
    ['alpha_lend', 'deposit'],
    ['alpha_lend', 'withdraw'],
    ['beta', 'deposit'],
    ['beta', 'withdraw'],
  ] as const)('of %s %s: neither by a stranger nor by what the others are', (provider, kind) => {
    const name = `${provider} ${kind}`
    // Made once: to derive its addresses takes longer than the runtime takes to refuse it.
    const leg = legOf(provider, kind)
    const own = leg.keys.map(({ pubkey }) => pubkey)
    const others = [marketOf(provider, 'USDT'), marketOf(provider, 'SOL')].flatMap(({ accounts, addresses }) => [
      ...accounts,
      addresses.shareMint,
      addresses.marketOrVault,
    ])
    const candidates = [...own, ...others, Keypair.generate().publicKey]
    const taken: string[] = []
    for (let at = 1; at < own.length; at += 1) {
      for (const candidate of candidates) {
        if (own[at]?.equals(candidate) || UNREAD[name]?.includes(at)) continue
        if (errorOf(withKey(leg, at, candidate)) === null) taken.push(`${at} ${candidate.toBase58()}`)
      }
    }
    expect([name, taken]).toEqual([name, []])
  })

  it.each(['beta deposit', 'beta withdraw'])(
    'but, as in the real program, another owner’s account can receive: %s',
    (name) => {
      const market = marketOf('beta')
      const mint = name === 'beta deposit' ? market.addresses.shareMint : market.asset.mint
      const stranger = namedAddress('stranger')
      const theirs = namedAddress(`${name} of a stranger`)
      harness.setAccounts([tokenAccount(theirs, mint, stranger, 0n)])
      const [at = 0] = UNOWNED[name] ?? []
      expect(errorOf(withKey(legOf('beta', name === 'beta deposit' ? 'deposit' : 'withdraw'), at, theirs))).toBeNull()
    },
  )
})

describe('a reserve', () => {
  it('that is obsolete takes no deposits and pays out all the same', () => {
    const market = marketOf('beta')
    const [reserve] = market.accounts
    const stored = reserve && harness.account(reserve)
    if (!stored) throw new Error('no reserve')
    const withdrawal = legOf('beta', 'withdraw')
    const deposit = legOf('beta', 'deposit')
    const obsolete = Buffer.from(stored.data)
    obsolete[4856] = 1
    harness.setAccounts([account(reserve, stored.owner, obsolete)])
    expect(harness.stateOf(market).figures.isOpen).toBe(false)
    expect([errorOf(deposit), errorOf(withdrawal)]).toEqual([custom(6082), null])
  })
})
