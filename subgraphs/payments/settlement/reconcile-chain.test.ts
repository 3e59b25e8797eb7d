import { encodeFunctionData, erc20Abi, parseUnits, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { act } from '../../../test/harness/evm.js'
import { wholePool } from '../../../test/harness/evm-node-pool.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { fundRefunds } from '../cli/fund-refunds.js'
import { balanceIn, compareFinal, openDifferences } from '../fixtures/books.js'
import { paidPayment, untilEnded } from '../fixtures/pix-payments.js'
import { runLedger } from '../fixtures/run-ledger.js'
import { transactionsOf } from '../fixtures/rows.js'
import type { Payment } from '../store/payment.entity.js'

const FINALITY_BLOCKS = 4
/** 100 BRL. */
const PAID = '18.450185'

const harness = await startSettlementHarness({ finalityBlocks: FINALITY_BLOCKS })
const { chain, deps } = harness
const token = chain.tokens['USDT']?.address as Hex

async function paidOut(receiver = harness.newReceiver()): Promise<{ payment: Payment; receiver: Hex }> {
  const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
  const { payment } = await paidPayment(harness, { splitPaymentConfig })
  expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  return { payment, receiver }
}

const mine = (blocks: number) => harness.anvil.mine({ blocks })

const compareBooks = async () => expect(await compareFinal(harness)).toBeNull()
const open = () => openDifferences(deps)
const alerts = async () =>
  (await deps.alerts.list()).filter(({ kind }) => kind === 'books_differ').map(({ subject }) => subject)
const suspense = () => balanceIn(deps, 'suspense:polygon', 'USDT')

async function resolve(reason: string, as?: string): Promise<number> {
  const [{ id } = { id: '' }] = await open()
  return runLedger(harness, 'resolve', id, '--reason', reason, ...(as === undefined ? [] : ['--as', as]))
}

/** Resolves everything that is open. What somebody sends by hand costs coins too, which show in the balance. */
async function resolveAll(as: string): Promise<void> {
  while ((await open()).length > 0) expect(await resolve('an operator knows', as)).toBe(0)
}

/** Somebody else with the treasury's key sends tokens. */
const sendByHand = (to: Hex, amount: string) => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, parseUnits(amount, 6)] })
  return act({ anvil: harness.anvil }, { from: harness.treasury, to: token, data })
}

describe('the reconciliation of a treasury with its chain', () => {
  it('takes what the account holds at first as the owner’s, and finds nothing while payouts come and go', async () => {
    await compareBooks()
    const held = await balanceIn(deps, 'treasury:polygon', 'USDT')
    expect(parseUnits(held, 6)).toBe(await harness.balanceOf(harness.treasury))
    await paidOut()
    await paidOut()
    await compareBooks()
    expect(await open()).toEqual([])
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('finds a payout that was made a second time, keeps it in suspense until an operator says whose it is', async () => {
    const { receiver } = await paidOut()
    await sendByHand(receiver, PAID)
    await compareBooks()
    const found = await open()
    const twice = found.find(({ kind }) => kind === 'paid_twice')
    expect(twice).toMatchObject({ expected: '0', actual: `-${PAID}` })
    expect(await alerts()).toContain(`paid_twice:${twice?.subject}`)
    expect(await suspense()).toBe(PAID)
    await compareBooks()
    expect(await suspense()).toBe(PAID)
    expect(await resolve('the receiver will not give it back')).toBe(2)
    await resolveAll('loss')
    expect(await suspense()).toBe('0')
    await compareBooks()
    expect(await open()).toEqual([])
    expect(await alerts()).toEqual([])
  })

  it('asks once about a transfer that looks like another thing once its receiver is paid the same again', async () => {
    const [resolvedBefore, resolvedAfter] = [harness.newReceiver(), harness.newReceiver()]
    await harness.fundTreasury('100')
    await compareBooks()
    await resolveAll('owner')
    await sendByHand(resolvedBefore, PAID)
    await compareBooks()
    await resolveAll('owner')
    await sendByHand(resolvedAfter, PAID)
    await compareBooks()
    const [unknown] = (await open()).filter(({ kind }) => kind === 'unknown_transfer')
    // What was registered before is held, as the transfer may have paid it.
    await harness.advance(86_400)
    await paidOut(resolvedBefore)
    await paidOut(resolvedAfter)
    await compareBooks()
    const transfers = (await open()).filter(({ kind }) => kind !== 'wrong_balance')
    const { subject, expected, actual } = unknown ?? {}
    expect(transfers).toMatchObject([{ kind: 'paid_twice', subject, expected, actual }])
    expect((await alerts()).filter((subject) => subject.endsWith(String(unknown?.subject)))).toHaveLength(1)
    expect(await suspense()).toBe(PAID)
    await resolveAll('loss')
    expect(await suspense()).toBe('0')
    await compareBooks()
    expect(await open()).toEqual([])
    expect(await suspense()).toBe('0')
  })

  it('finds what came to the treasury from somebody, and what left it for somebody', async () => {
    await harness.fundTreasury('7')
    const stranger = privateKeyToAccount(`0x${'77'.repeat(32)}`).address
    await sendByHand(stranger, '3')
    await compareBooks()
    const transfers = (await open()).filter(({ kind }) => kind === 'unknown_transfer')
    expect(transfers.map(({ actual }) => actual).sort()).toEqual(['-3', '7'])
    await resolveAll('owner')
    expect(await suspense()).toBe('0')
    await compareBooks()
    expect(await open()).toEqual([])
  })

  it('finds what a tenant has paid in for refunds in a token, and books it once', async () => {
    await paidOut()
    await compareBooks()
    const topUp = { tenantId: harness.tenant.id, amount: '12', currency: 'USDT', reference: 'in-1' }
    expect(await fundRefunds(harness.db, harness.clock, topUp)).toBe('12')
    await compareBooks()
    expect(await open()).toEqual([])
    await harness.fundTreasury('12')
    await compareBooks()
    expect(await open()).toMatchObject([{ kind: 'unknown_transfer', actual: '12' }])
    expect(await resolve('paid in for refunds', 'bank')).toBe(0)
    expect(await suspense()).toBe('0')
    expect(await balanceIn(deps, 'bank', 'USDT')).toBe('0')
    expect(await balanceIn(deps, 'tenant:refunds', 'USDT')).toBe('-12')
    await compareBooks()
    expect(await open()).toEqual([])
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('takes what a node that is behind lacks for nothing that the chain has not, and compares once nodes show all', async () => {
    await compareBooks()
    const before = await suspense()
    await paidOut()
    harness.pool.lagBlocks = 60
    harness.pool.isBehind = (methods) => methods.includes('eth_getLogs')
    await compareFinal(harness).catch(() => undefined)
    expect(await open()).toEqual([])
    expect(await suspense()).toBe(before)
    Object.assign(harness.pool, wholePool())
    await compareBooks()
    expect(await open()).toEqual([])
    expect(await suspense()).toBe(before)
  })

  it('finds coins that were put in, which show in the balance alone', async () => {
    const balance = await harness.anvil.getBalance({ address: harness.treasury })
    await harness.anvil.setBalance({ address: harness.treasury, value: balance + 5n * 10n ** 18n })
    await compareBooks()
    expect(await open()).toMatchObject([{ kind: 'wrong_balance', subject: `polygon:${chain.nativeCoin.symbol}` }])
    // What is paid out meanwhile says nothing about what was compared.
    await paidOut()
    expect(await resolve('filled up', 'owner')).toBe(0)
    await compareBooks()
    expect(await open()).toEqual([])
  })

  it('finds a fee that is booked with another amount than the chain took, until it is mended', async () => {
    const { payment } = await paidOut()
    const change = (sign: string) =>
      harness.query(
        `update payments.ledger_line set debit = case when debit > 0 then debit ${sign} 1 else 0 end,
          credit = case when credit > 0 then credit ${sign} 1 else 0 end where payment_id = $1 and entry like 'fee:%'`,
        [payment.id],
      )
    await change('+')
    await compareBooks()
    expect((await open()).map(({ kind }) => kind).sort()).toEqual(['wrong_balance', 'wrong_fee'])
    await change('-')
    await compareBooks()
    expect(await open()).toEqual([])
    expect(await alerts()).toEqual([])
  })

  it('finds a payout that its chain has dropped after it was final, and finds it back', async () => {
    const { payment } = await paidOut()
    await compareBooks()
    const [row] = await transactionsOf(harness, payment)
    const depth = Number(await harness.anvil.getBlockNumber()) - Number(row?.['block_number']) + 1
    await harness.anvil.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    await compareBooks()
    const kinds = (await open()).map(({ kind }) => kind)
    expect(kinds).toContain('payout_missing')
    expect(await suspense()).toBe(`-${PAID}`)
    // The bytes are as good as before.
    await harness.anvil.sendRawTransaction({ serializedTransaction: row?.['raw'] as Hex })
    await mine(1)
    const receipt = await harness.anvil.getTransactionReceipt({ hash: row?.['hash'] as Hex })
    await harness.query('update payments.treasury_transaction set block_number = $1 where hash = $2', [
      Number(receipt.blockNumber),
      row?.['hash'],
    ])
    await compareBooks()
    expect((await open()).map(({ kind }) => kind)).not.toContain('payout_missing')
    expect(await suspense()).toBe('0')
  })
})
