import { parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { readTreasury } from '../domain/operators/read-treasury.js'
import { balanceIn, openDifferences } from '../fixtures/books.js'
import { runLedgerWorking } from '../fixtures/run-ledger.js'
import { severalAccounts } from '../fixtures/several-accounts.js'
import type { PayoutChain } from './payout-chain.js'

const otherKey = generatePrivateKey()
const other = privateKeyToAddress(otherKey)
const harness = await startSettlementHarness({ moreTreasuryKeys: [otherKey], finalityBlocks: 4 })
const { chain, deps, treasury } = harness
const coin = chain.nativeCoin.symbol
const [first, second] = (deps.payoutChains.evm ?? []) as [PayoutChain, PayoutChain]

const { compareBooks, fund, mint, move, order, pay, ...steps } = severalAccounts(harness)

const expectAgreement = () => steps.expectAgreement(treasury, other)

describe('the books of a treasury with several accounts', () => {
  it('take what an added account holds as the owner’s, but for what it had from the others', async () => {
    deps.payoutChains.evm = [first]
    await expectAgreement()
    await pay()
    const owner = Number(await balanceIn(deps, 'owner', 'USDT'))
    await fund(other, '500')
    const { transactionHash } = await move(treasury, other, '40')
    deps.payoutChains.evm = [second, first]
    await pay()
    await compareBooks()
    expect(Number(await balanceIn(deps, 'owner', 'USDT'))).toBe(owner - 500)
    // What is left to say is the gas of what was moved by hand.
    expect(await openDifferences(deps)).toMatchObject([{ kind: 'wrong_balance', currency: coin }])
    expect(await order(transactionHash)).toBe("40 USDT between the treasury's accounts")
    await expectAgreement()
  })

  it('ask nobody about what goes from one to the other, and about what comes from elsewhere', async () => {
    const { transactionHash } = await move(other, treasury, '25')
    await compareBooks()
    expect((await openDifferences(deps)).map(({ kind }) => kind)).toEqual(['wrong_balance'])
    await order(transactionHash)
    await mint(other, '3')
    await compareBooks()
    expect(await openDifferences(deps)).toMatchObject([{ kind: 'unknown_transfer', actual: '3' }])
    const [{ id } = { id: '' }] = await openDifferences(deps)
    await runLedgerWorking(harness, 'resolve', id, '--reason', 'an operator knows', '--as', 'owner')
    await expectAgreement()
  })

  it('have still what an account holds that pays no more', async () => {
    deps.payoutChains.evm = [first]
    await pay()
    await expectAgreement()
  })

  it('are shown with what each account holds, and what they hold together', async () => {
    deps.payoutChains.evm = [first, second]
    const [shown] = await readTreasury(deps)
    const held = [await harness.balanceOf(treasury), await harness.balanceOf(other)]
    expect(shown?.account).toBe(treasury)
    expect(shown?.accounts.map(({ account }) => account)).toEqual([treasury, other])
    const ofToken = shown?.accounts.map(
      ({ balances }) => balances.find(({ symbol }) => symbol === 'USDT')?.balance ?? '',
    )
    expect(ofToken?.map((balance) => parseUnits(balance, 6))).toEqual(held)
    const together = shown?.tokens.find(({ symbol }) => symbol === 'USDT')?.balance ?? ''
    expect(parseUnits(together, 6)).toBe((held[0] ?? 0n) + (held[1] ?? 0n))
  })
})
