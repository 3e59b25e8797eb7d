import { parseEther, type Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { MINTER } from '../../../test/harness/evm-side.js'
import { act, freshAddress } from '../../../test/harness/evm.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { balanceIn, compareChain, openDifferences } from '../fixtures/books.js'
import { runLedger, runLedgerWorking } from '../fixtures/run-ledger.js'

const FINALITY_BLOCKS = 4

const harness = await startSettlementHarness({ finalityBlocks: FINALITY_BLOCKS })
const { chain, deps, anvil } = harness
const address = deps.gasPayer.account as Address
const coin = chain.nativeCoin.symbol

const mine = () => anvil.mine({ blocks: FINALITY_BLOCKS })
const held = () => balanceIn(deps, 'gas-payer:polygon', coin)
const onChain = async () => Number(await anvil.getBalance({ address })) / 1e18
const open = () => openDifferences(deps)

/** @returns why nothing was compared; null where it was */
async function compare(): Promise<unknown> {
  await mine()
  return compareChain(harness, chain.name, 'gas-payer')
}

/** Has the gas payer pay for a transaction that does nothing, and lets the product see that a block has it. */
async function spend(purpose: string): Promise<void> {
  const call = { to: freshAddress(), data: '0x', value: 0n } as const
  await deps.gasPayer.send(chain, purpose, call)
  await anvil.mine({ blocks: 1 })
  await deps.gasPayer.send(chain, purpose, call)
}

describe('what the gas payer holds, compared with its chain', () => {
  it('is the owner’s at first, and nothing differs while its gas is booked', async () => {
    await anvil.setBalance({ address, value: parseEther('10') })
    expect(await compare()).toBeNull()
    expect(await held()).toBe('10')
    await spend('first')
    await mine()
    await deps.gasPayer.follow(chain)
    expect(await compare()).toBeNull()
    expect(await open()).toEqual([])
    expect(Number(await held())).toBeLessThan(10)
    expect(Number(await held())).toBeCloseTo(await onChain(), 12)
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is not compared while gas has been spent that is not booked yet', async () => {
    await spend('second')
    expect(await compare()).toBe('what it has spent is not booked yet')
    expect(await open()).toEqual([])
    await deps.gasPayer.follow(chain)
    expect(await compare()).toBeNull()
    expect(await open()).toEqual([])
  })

  it('differs where somebody has taken or given coins, until an operator says whose they are', async () => {
    await act({ anvil }, { from: address, to: freshAddress(), value: parseEther('1') })
    expect(await compare()).toBeNull()
    expect(await open()).toMatchObject([{ kind: 'wrong_balance', subject: `polygon:${coin}:gas-payer` }])
    const told = (await deps.alerts.list()).filter(({ kind }) => kind === 'books_differ')
    expect(told).toMatchObject([{ subject: `wrong_balance:polygon:${coin}:gas-payer` }])
    const [{ id } = { id: '' }] = await open()
    expect(await runLedger(harness, 'resolve', id, '--reason', 'the key was elsewhere', '--as', 'loss')).toBe(0)
    expect(await compare()).toBeNull()
    expect(await open()).toEqual([])
    expect(Number(await held())).toBeCloseTo(await onChain(), 12)
  })

  it('is filled up by a transaction that an operator names', async () => {
    const { transactionHash } = await act({ anvil }, { from: MINTER, to: address, value: parseEther('3') })
    await mine()
    const args = ['treasury-transfer', transactionHash, '--chain', chain.name, '--reason', 'filled up']
    expect((await runLedgerWorking(harness, ...args)).code).toBe(0)
    expect(await compare()).toBeNull()
    expect(await open()).toEqual([])
    expect(Number(await held())).toBeCloseTo(await onChain(), 12)
  })
})
