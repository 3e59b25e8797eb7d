import { PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { readRecorded, recordedForm, type RecordedInstruction } from '../../fixtures/recorded.js'
import { earnAddresses } from './addresses.js'
import { earnDeposit, earnRedeem, earnWithdraw } from './instructions.js'
import { alphaLend } from './provider.js'

const { accounts, accountAt, cases, markets, signer } = readRecorded<{
  wallet: string
  accounts: Record<string, { owner: string; lamports: number; gzip: string }>
  markets: readonly { symbol: string; mint: string; decimals: number; addresses: readonly string[] }[]
  cases: readonly {
    symbol: string
    mint: string
    isOnChain: boolean
    kind: keyof typeof BUILDERS
    amount: string
    instruction: RecordedInstruction
  }[]
}>('alpha-lend')

const BUILDERS = { deposit: earnDeposit, withdraw: earnWithdraw, redeem: earnRedeem }
/** Any time will do: amounts and shares go into the instructions as they are. */
const TIME = { slot: 3_600_000_000n, unixSeconds: 1_800_000_000n }

const openMarket = (mint: string) => {
  const found = markets.find((market) => market.mint === mint)
  if (!found) throw new Error('no such market')
  const { symbol, decimals } = found
  const asset = { symbol, mint: new PublicKey(mint), decimals, isNative: symbol === 'SOL' }
  return alphaLend.listMarket(asset, {}, true).open([])
}

describe('what the SDK of Jupiter Lend builds is what we build, byte for byte and account for account', () => {
  it.each(cases)('to $kind $amount of $symbol, mint $mint', ({ kind, mint, amount, instruction }) => {
    const built = BUILDERS[kind](earnAddresses(new PublicKey(mint)), signer, BigInt(amount))
    expect(recordedForm(built)).toEqual(instruction)
  })

  it.each(cases.filter(({ isOnChain }) => isOnChain))(
    'in the leg of a market to $kind $amount of $symbol',
    ({ kind, mint, amount, instruction }) => {
      const market = openMarket(mint)
      const state = market.read(market.accounts.map(accountAt), TIME)
      const units = BigInt(amount)
      const legs = {
        deposit: () => state.depositLeg(signer, units),
        // A part of a position is withdrawn by its amount, all of it by its shares.
        withdraw: () => state.withdrawLeg(signer, { kind: 'exact', amount: units }),
        redeem: () => state.withdrawLeg(signer, { kind: 'all', shares: units }),
      }
      expect(legs[kind]().map(recordedForm)).toEqual([instruction])
    },
  )
})

it('a market of Jupiter Lend is read from the accounts that its SDK reads', () => {
  expect(Object.keys(accounts)).toHaveLength(markets.length * 5)
  for (const { mint, addresses } of markets) {
    expect(openMarket(mint).accounts.map(String)).toEqual(addresses)
  }
})
