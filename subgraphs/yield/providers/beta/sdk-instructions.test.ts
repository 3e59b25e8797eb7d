import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { createIfMissing, holdingOf, unwrapSol, wrapSol } from '../../domain/token-holding.js'
import { readRecorded, recordedForm, type RecordedInstruction } from '../../fixtures/recorded.js'
import { refreshReserve } from './instructions.js'
import { beta } from './provider.js'
import { readReserve } from './reserve.js'

interface RecordedMarket {
  symbol: string
  mint: string
  decimals: number
  market: string
  reserve: string
}
interface Asked {
  reserve: string
  instructions: readonly RecordedInstruction[]
}
interface AskedMove extends Asked {
  kind: 'deposit' | 'redeem' | 'withdraw'
  symbol: string
  amount: string
  setup: readonly RecordedInstruction[]
  cleanup: readonly RecordedInstruction[]
}

const { accountAt, cases, markets, signer, slot } = readRecorded<{
  wallet: string
  accounts: Record<string, { owner: string; lamports: number; gzip: string }>
  slot: string
  markets: readonly RecordedMarket[]
  cases: readonly (AskedMove | (Asked & { kind: 'refresh' }))[]
}>('beta')
const moves = cases.filter((asked) => asked.kind !== 'refresh')
const refreshes = cases.filter((asked) => asked.kind === 'refresh')
const others = refreshes.slice(1).map(({ reserve }) => reserve)

const marketOf = (symbol: string): RecordedMarket => {
  const found = markets.find((market) => market.symbol === symbol)
  if (!found) throw new Error('no such market')
  return found
}
const openMarket = (
  { symbol, mint, decimals, market, reserve }: RecordedMarket,
  refreshedWith: readonly string[] = [],
) => {
  const asset = { symbol, mint: new PublicKey(mint), decimals, isNative: symbol === 'SOL' }
  const listed = beta.listMarket(asset, { market, reserve, refreshedWith }, true)
  return listed.open(listed.identity.map(accountAt))
}
const stateOf = (market: RecordedMarket, refreshedWith: readonly string[] = []) => {
  const opened = openMarket(market, refreshedWith)
  return opened.read(opened.accounts.map(accountAt), { slot: BigInt(slot), unixSeconds: BigInt(slot) / 2n })
}
const legOf = ({ kind, amount }: AskedMove, state: ReturnType<typeof stateOf>) => {
  const units = BigInt(amount)
  if (kind === 'deposit') return state.depositLeg(signer, units)
  // The protocol withdraws by shares only: for a part, both sides count them at the interest of a day later.
  return state.withdrawLeg(
    signer,
    kind === 'withdraw' ? { kind: 'exact', amount: units } : { kind: 'all', shares: units },
  )
}

describe('what the SDK of Kamino Lend builds is what we build, byte for byte and account for account', () => {
  it.each(moves)('to $kind $amount of $symbol', (asked) => {
    const built = legOf(asked, stateOf(marketOf(asked.symbol)))
    expect(built.map(recordedForm)).toEqual(asked.instructions)
  })

  it.each(refreshes)('to refresh reserve $reserve with the oracles that it names', ({ reserve, instructions }) => {
    const address = new PublicKey(reserve)
    const { market, oracles } = readReserve(accountAt(address))
    const built = refreshReserve(address, market, oracles)
    expect([recordedForm(built)]).toEqual(instructions)
    const ofMarket = markets.map((entry) => openMarket(entry, entry.reserve === markets[0]?.reserve ? others : []))
    const rebuilt = ofMarket.flatMap((opened) => opened.rebuild(built) ?? [])
    expect(recordedForm(rebuilt[0] ?? refreshReserve(address, address, oracles))).toEqual(instructions[0])
  })

  it('to refresh a reserve and those refreshed along with it in front of a deposit', () => {
    const main = markets[0]
    expect(refreshes[0]?.reserve).toBe(main?.reserve)
    if (!main) throw new Error('no markets')
    const asked = moves.find(({ kind, symbol }) => kind === 'deposit' && symbol === main.symbol)
    if (!asked) throw new Error('no deposit')
    expect(legOf(asked, stateOf(main, others)).map(recordedForm)).toEqual([
      ...refreshes.flatMap(({ instructions }) => instructions),
      ...asked.instructions,
    ])
  })
})

describe("the SDK's work on the wallet's own accounts", () => {
  const WRAPPED = { symbol: 'SOL' }

  it('creates accounts of shares and tokens as ours does', () => {
    for (const asked of moves.filter(({ kind, symbol }) => kind === 'deposit' && symbol !== WRAPPED.symbol)) {
      const { mint, reserve } = marketOf(asked.symbol)
      const mints = [readReserve(accountAt(new PublicKey(reserve))).shareMint, new PublicKey(mint)]
      const built = mints.flatMap((key) => createIfMissing(holdingOf(signer, key, null)))
      expect(built.map(recordedForm)).toEqual(asked.setup)
    }
  })

  it('wraps and unwraps SOL with the same instructions', () => {
    const mint = new PublicKey(marketOf(WRAPPED.symbol).mint)
    const holding = holdingOf(signer, mint, null)
    for (const asked of moves.filter(({ kind, symbol }) => kind === 'deposit' && symbol === WRAPPED.symbol)) {
      // The SDK sends the account's rent too, for the case that it is new, and creates it after that, a second time. Creating
      // it first, as ours does, has the associated token program pay the rent; what ends up in the account is the same.
      const rent = 2_039_280n
      const amount = BigInt(asked.amount) + rent
      const [create] = createIfMissing(holding)
      const [transfer, sync] = wrapSol(holding, amount)
      if (!create || !transfer || !sync) throw new Error('an instruction is missing')
      expect(asked.setup.slice(1)).toEqual([create, transfer, create, sync].map(recordedForm))
      expect(asked.cleanup).toEqual([recordedForm(unwrapSol(holding))])
    }
  })
})
