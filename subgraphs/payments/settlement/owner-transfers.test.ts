import { encodeFunctionData, erc20Abi, parseEther, parseUnits, type Address, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { MINTER } from '../../../test/harness/evm-side.js'
import { act, freshAddress } from '../../../test/harness/evm.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { sandboxTokenAbi } from '../../../sandbox/anvil/seed.js'
import { balanceIn, compareFinal, openDifferences } from '../fixtures/books.js'
import { paidPayment, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { runLedger, runLedgerWorking } from '../fixtures/run-ledger.js'

const FINALITY_BLOCKS = 4

const harness = await startSettlementHarness({ finalityBlocks: FINALITY_BLOCKS })
const { chain, deps, treasury } = harness
const token = chain.tokens['USDT']?.address as Address
const coin = chain.nativeCoin.symbol

const mine = (blocks: number) => harness.anvil.mine({ blocks })

const compareBooks = async () => expect(await compareFinal(harness)).toBeNull()

/** What an operator orders of a transaction, while workers work. */
async function order(hash: Hex, chainName = chain.name): Promise<{ code: number; answer: { result?: string } }> {
  const args = ['treasury-transfer', hash, '--chain', chainName, '--reason', 'from the owner', '--by', 'ana']
  const { code, text } = await runLedgerWorking(harness, ...args)
  return { code, answer: JSON.parse(text) as { result?: string } }
}

const open = () => openDifferences(deps)
const balanceOf = (account: string, currency = 'USDT') => balanceIn(deps, account, currency)

async function mint(to: Address, amount: string): Promise<Hex> {
  const data = encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'mint', args: [to, parseUnits(amount, 6)] })
  return (await act({ anvil: harness.anvil }, { from: MINTER, to: token, data })).transactionHash
}
async function withdraw(amount: string): Promise<Hex> {
  const args = [freshAddress(), parseUnits(amount, 6)] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  return (await act({ anvil: harness.anvil }, { from: treasury, to: token, data })).transactionHash
}
async function sendCoins(from: Address, to: Address, amount: string): Promise<Hex> {
  return (await act({ anvil: harness.anvil }, { from, to, value: parseEther(amount) })).transactionHash
}

describe('what the owner puts into a treasury, and takes out of it', () => {
  it('is part of the first comparison where it came before that', async () => {
    const hash = await mint(treasury, '5')
    await compareBooks()
    const owner = await balanceOf('owner')
    expect((await order(hash)).answer.result).toMatch(/part of what was held when the account was first compared/)
    expect(await balanceOf('owner')).toBe(owner)
  })

  it('is booked as the chain shows it, once, and no comparison asks about it', async () => {
    const [owner, held] = [Number(await balanceOf('owner')), Number(await balanceOf('treasury:polygon'))]
    const [funding, withdrawal] = [await mint(treasury, '7'), await withdraw('3')]
    await mine(FINALITY_BLOCKS)
    expect(await order(funding)).toMatchObject({ code: 0, answer: { state: 'done', result: 'in 7 USDT' } })
    expect(await order(withdrawal)).toMatchObject({ code: 0, answer: { state: 'done', result: 'out 3 USDT' } })
    expect(await order(funding)).toMatchObject({ code: 1, answer: { state: 'done', orderedBy: 'ana' } })
    expect(Number(await balanceOf('owner'))).toBe(owner - 4)
    expect(Number(await balanceOf('treasury:polygon'))).toBe(held + 4)
    // The gas of the withdrawal too: the coin's balance would tell.
    await compareBooks()
    expect(await open()).toEqual([])
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('leaves suspense where a comparison found it first, and its alert is closed', async () => {
    const hash = await mint(treasury, '11')
    await compareBooks()
    expect(await open()).toMatchObject([{ kind: 'unknown_transfer', actual: '11' }])
    expect(await balanceOf('suspense:polygon')).toBe('-11')
    expect((await order(hash)).code).toBe(0)
    expect(await balanceOf('suspense:polygon')).toBe('0')
    await compareBooks()
    expect(await open()).toEqual([])
    expect((await deps.alerts.list()).filter(({ kind }) => kind === 'books_differ')).toEqual([])
  })

  it('may be coins, which show in no log', async () => {
    const before = Number(await balanceOf('owner', coin))
    const funding = await sendCoins(MINTER, treasury, '2')
    const withdrawal = await sendCoins(treasury, freshAddress(), '0.5')
    await compareBooks()
    expect(await open()).toMatchObject([{ kind: 'wrong_balance' }])
    expect((await order(funding)).answer.result).toBe(`in 2 ${coin}`)
    expect((await order(withdrawal)).answer.result).toBe(`out 0.5 ${coin}`)
    expect(Number(await balanceOf('owner', coin))).toBeCloseTo(before - 1.5, 12)
    await compareBooks()
    expect(await open()).toEqual([])
  })

  it('does not disturb a comparison that has not come to its block', async () => {
    await compareBooks()
    const hash = await mint(treasury, '13')
    await mine(FINALITY_BLOCKS)
    // A payout that is followed holds a comparison back, below the block of the funding.
    const [row] = await harness.query(`select block_number from payments.reconciliation where scope = 'chain:polygon'`)
    const below = Number(row?.['block_number'])
    expect((await order(hash)).code).toBe(0)
    expect(await deps.treasuryBooks.ownersAbove(chain.name, 'treasury:polygon', below)).toEqual([
      { currency: 'USDT', amount: '13' },
    ])
    await compareBooks()
    expect(await open()).toEqual([])
  })

  it('is refused where it is not final, not on the chain, moves nothing of the treasury, or is a payout of ours', async () => {
    const owner = await balanceOf('owner')
    const young = await mint(treasury, '1')
    expect(await order(young)).toMatchObject({ code: 1, answer: { result: 'no block that is final has it' } })
    expect((await order(`0x${'ab'.repeat(32)}`)).answer.result).toBe('no block that is final has it')
    const others = await mint(freshAddress(), '1')
    const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
    const { payment } = await paidPayment(harness, { splitPaymentConfig })
    await untilEnded(harness, payment)
    await mine(FINALITY_BLOCKS)
    expect((await order(others)).answer.result).toBe("it moves nothing of the treasury's")
    const { tidHash } = await presentOf(harness, payment)
    expect((await order(tidHash as Hex)).answer.result).toBe('it is of the payouts, and booked with them')
    expect((await order(others, 'nowhere')).answer.result).toBe('this deployment has no chain nowhere')
    expect(await balanceOf('owner')).toBe(owner)
    // What was refused may be ordered again.
    expect((await order(young)).code).toBe(0)
    await compareBooks()
    expect(await open()).toEqual([])
  })

  it('is refused where its difference was resolved, and then nothing of it is booked', async () => {
    const hash = await mint(treasury, '2')
    await compareBooks()
    const [{ id } = { id: '' }] = await open()
    expect(await runLedger(harness, 'resolve', id, '--reason', 'found', '--as', 'loss')).toBe(0)
    const owner = await balanceOf('owner')
    expect((await order(hash)).answer.result).toBe('its difference was resolved already')
    expect(await balanceOf('owner')).toBe(owner)
    expect(await runLedger(harness, 'treasury-transfer', 'nothing', '--chain', 'polygon', '--reason', 'x')).toBe(2)
  })
})
