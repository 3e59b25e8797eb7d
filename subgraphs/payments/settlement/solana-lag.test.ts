import { Keypair } from '@solana/web3.js'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { movesNothing } from '../../../chains/solana/replace.js'
import { balanceOf } from '../../../test/harness/solana-side.js'
import { runLedgerWorking } from '../fixtures/run-ledger.js'
import { paidPayment, presentOf } from '../fixtures/pix-payments.js'
import { transactionsOf } from '../fixtures/rows.js'
import { until } from '../../../test/harness/until.js'
import type { Payment } from '../store/payment.entity.js'
import { releasePayouts } from './release-payouts.js'
import { startSolanaSettlementHarness } from '../../../test/harness/settlement.js'

/** 54.2 BRL are 10.000923 USDC. */
const TEN = { toChain: 'solana', toCurrencySymbol: 'USDC', amountFrom: '54.2' }
const TEN_UNITS = 10_000_923n

const harness = await startSolanaSettlementHarness()
const { solana, pool, pass } = harness
afterEach(() =>
  Object.assign(pool, { lagSlots: 0, inventedSlots: 0, forgets: false, refuses: false, isBehind: () => false }),
)

async function paidCharge(): Promise<{ payment: Payment; receiver: string }> {
  // A nonce cannot be used in the block that gave it.
  await solana.solana.advance(1)
  const receiver = Keypair.generate().publicKey.toBase58()
  const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
  const { payment } = await paidPayment(harness, { ...TEN, splitPaymentConfig })
  return { payment, receiver }
}

const untilPaid = (payment: Payment) =>
  until('the payment succeeds', async () => {
    await pass(1)
    return (await presentOf(harness, payment)).status === 'success'
  })
const statesOf = async (payment: Payment) => (await harness.deps.payouts.findAll(payment)).map(({ state }) => state)
const alertsOf = async (payment: Payment) =>
  (await harness.deps.alerts.list()).filter(({ subject }) => subject === payment.id).map(({ kind }) => kind)
const attemptsOf = async (payment: Payment) => (await transactionsOf(harness, payment)).map(({ state }) => state)

/** An operator's decision. */
const decide = async (...args: string[]) => (await runLedgerWorking(harness, ...args)).code

describe('a payout on Solana before two nodes behind one address', () => {
  beforeAll(async () => {
    // The first payout of a treasury waits for a nonce to be created.
    await untilPaid((await paidCharge()).payment)
  })

  it('is paid once where the node that tells of signatures is behind the one that tells of heights', async () => {
    pool.lagSlots = 400
    pool.isBehind = (method) => ['getSignatureStatuses', 'getSignaturesForAddress', 'getTransaction'].includes(method)
    const { payment, receiver } = await paidCharge()
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
    for (let second = 0; second < 90; second += 10) await pass(10)
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    pool.isBehind = () => false
    await untilPaid(payment)
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
    expect(await attemptsOf(payment)).toEqual(['confirmed'])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('writes down no slot that one node alone tells of, so that all go on once that node is mended', async () => {
    pool.inventedSlots = 5_000_000_000
    pool.isBehind = (method) => method === 'getSignatureStatuses'
    const { payment, receiver } = await paidCharge()
    for (let second = 0; second < 10; second += 1) await pass(1)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    const [transaction] = await transactionsOf(harness, payment)
    const told = (await harness.deps.alerts.list()).filter(({ subject }) => subject === transaction?.['batch_id'])
    expect(told.map(({ kind }) => kind)).toEqual(['payout_unexpected'])
    pool.isBehind = () => false
    await untilPaid(payment)
    const next = await paidCharge()
    await untilPaid(next.payment)
    expect([await balanceOf(solana, receiver), await balanceOf(solana, next.receiver)]).toEqual([TEN_UNITS, TEN_UNITS])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('signs nothing for a nonce that one node shows from a slot that no chain has, and goes on once that node is mended', async () => {
    await untilPaid((await paidCharge()).payment)
    pool.inventedSlots = 5_000_000_000
    pool.isBehind = (method) => method === 'getMultipleAccounts'
    const { payment, receiver } = await paidCharge()
    for (let second = 0; second < 5; second += 1) await pass(1)
    expect(await transactionsOf(harness, payment)).toEqual([])
    pool.isBehind = () => false
    await untilPaid(payment)
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('waits for seconds, and follows what is on its way, where the node that tells of balances is behind', async () => {
    pool.lagSlots = 400
    pool.isBehind = (method) => method === 'getBalance'
    const { payment, receiver } = await paidCharge()
    expect((await harness.runJobs()).errors).toEqual([])
    expect(await balanceOf(solana, receiver)).toBe(0n)
    pool.isBehind = () => false
    await pass(6)
    await untilPaid(payment)
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
  })

  it('is held where nobody can prove any more that it never landed, and is found once a node shows it', async () => {
    pool.forgets = true
    pool.isBehind = (method) => ['getSignatureStatuses', 'getSignaturesForAddress', 'getTransaction'].includes(method)
    const { payment, receiver } = await paidCharge()
    // As after a night without a worker: no node's newest blocks reach back.
    await pass(600)
    expect(await statesOf(payment)).toEqual(['held'])
    expect(await alertsOf(payment)).toEqual(['payout_held'])
    await pass(60)
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
    pool.isBehind = () => false
    await pass(600)
    expect(await statesOf(payment)).toEqual(['confirmed'])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
    expect(await attemptsOf(payment)).toEqual(['confirmed'])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('waits with the bytes that were signed while nodes take none, and is paid by them once one does', async () => {
    pool.isBehind = (method) => method === 'sendTransaction'
    pool.refuses = true
    const { payment, receiver } = await paidCharge()
    await pass(600)
    expect(await statesOf(payment)).toEqual(['sending'])
    pool.refuses = false
    pool.isBehind = () => false
    await untilPaid(payment)
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
    expect((await attemptsOf(payment)).filter((state) => state !== 'void')).toEqual(['confirmed'])
  })

  it('waits for the next slot where its nonce was given in this one, and tells nobody', async () => {
    pool.isBehind = (method) => method === 'sendTransaction'
    pool.refuses = 'early'
    const { payment, receiver } = await paidCharge()
    await pass(1)
    expect(await attemptsOf(payment)).toEqual(['stored'])
    pool.isBehind = () => false
    await untilPaid(payment)
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
    expect(await attemptsOf(payment)).toEqual(['confirmed'])
    expect(await alertsOf(payment)).toEqual([])
    expect(await harness.query(`select subject from payments.operator_alert where kind = 'payout_failed'`)).toEqual([])
  })

  it('is paid once though all nodes are wrong about what they show', async () => {
    pool.forgets = true
    pool.isBehind = (method) => ['getSignatureStatuses', 'getSignaturesForAddress', 'getTransaction'].includes(method)
    const { payment, receiver } = await paidCharge()
    await pass(80)
    pool.isBehind = () => false
    await untilPaid(payment)
    await pass(600)
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
    expect(await alertsOf(payment)).not.toContain('paid_twice')
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is signed anew by the word of an operator where nobody can prove what became of it', async () => {
    pool.forgets = true
    pool.isBehind = (method) => ['getSignatureStatuses', 'getSignaturesForAddress', 'getTransaction'].includes(method)
    const { payment, receiver } = await paidCharge()
    await pass(80)
    expect(await statesOf(payment)).toEqual(['held'])
    expect(await releasePayouts(harness.db, harness.clock, payment.id)).toBe(1)
    pool.isBehind = () => false
    await untilPaid(payment)
    // The operator was wrong.
    await pass(600)
    expect(await balanceOf(solana, receiver)).toBe(2n * TEN_UNITS)
    expect(await alertsOf(payment)).toContain('paid_twice')
    const balances = await harness.deps.ledger.balances()
    expect(balances).toContainEqual({ account: 'overpaid:solana', currency: 'USDC', balance: '10.000923' })
    // It is booked as what it is, so that the days can be closed.
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('gets another transaction where a node says that it would fail, once its nonce is used up', async () => {
    pool.isBehind = (method) => method === 'sendTransaction'
    pool.refuses = 'failing'
    const { payment, receiver } = await paidCharge()
    const isFreed = async () => {
      await pass(1)
      return (await attemptsOf(payment)).length === 2
    }
    await until('what uses its nonce up is signed', isFreed)
    pool.refuses = false
    pool.isBehind = () => false
    await pass(600)
    await untilPaid(payment)
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
    // Of the two that have one nonce one has landed; where that was the payout, no other was signed.
    const landed = (await attemptsOf(payment)).filter((state) => state !== 'void')
    expect([['confirmed'], ['failed', 'confirmed']]).toContainEqual(landed)
  })

  it('gets another transaction where a gateway keeps to itself what it would fail by, once its nonce is used up', async () => {
    pool.isBehind = (method) => method === 'sendTransaction'
    pool.refuses = 'unexplained'
    const { payment, receiver } = await paidCharge()
    await until('it is signed', async () => {
      await pass(1)
      return (await attemptsOf(payment)).length > 0
    })
    await pass(30)
    // What a gateway answers so may be on its way.
    expect(await attemptsOf(payment)).toEqual(['stored'])
    await pass(40)
    const [first, second] = await transactionsOf(harness, payment)
    expect(movesNothing(String(second?.['raw']))).toBe(true)
    expect((await harness.deps.alerts.list()).map(({ kind, subject }) => [kind, subject])).toContainEqual([
      'payout_failed',
      first?.['batch_id'],
    ])
    pool.refuses = false
    pool.isBehind = () => false
    await pass(600)
    await untilPaid(payment)
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
    expect(await attemptsOf(payment)).toEqual(['void', 'failed', 'confirmed'])
  })

  /** A payout that was signed, and cancelled before a node took it. */
  async function cancelled() {
    pool.isBehind = (method) => method === 'sendTransaction'
    pool.refuses = true
    const { payment, receiver } = await paidCharge()
    await until('it is signed', async () => {
      await pass(1)
      return (await attemptsOf(payment)).length > 0
    })
    const [sent] = await transactionsOf(harness, payment)
    expect(await decide('cancel', String(sent?.['batch_id']))).toBe(0)
    pool.refuses = false
    return { payment, receiver, sent }
  }

  it('is held where an operator has cancelled it, once its nonce is used up, and is paid once where it is retried', async () => {
    const { payment, receiver, sent } = await cancelled()
    pool.isBehind = () => false
    await pass(20)
    expect(await statesOf(payment)).toEqual(['held'])
    // Whoever still has the first bytes cannot pay with them.
    await solana.client.call('sendTransaction', [sent?.['raw'], { encoding: 'base64', skipPreflight: true }])
    await pass(60)
    expect(await balanceOf(solana, receiver)).toBe(0n)
    expect(await decide('retry', String(sent?.['batch_id']))).toBe(0)
    await untilPaid(payment)
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
    expect(await attemptsOf(payment)).toEqual(['void', 'failed', 'confirmed'])
  })

  it('has the gas booked of what was taken for lost, and had landed and moved nothing', async () => {
    const { payment, receiver, sent } = await cancelled()
    pool.forgets = true
    pool.isBehind = (method) => ['getSignatureStatuses', 'getSignaturesForAddress', 'getTransaction'].includes(method)
    await pass(600)
    expect(await statesOf(payment)).toEqual(['held'])
    pool.isBehind = () => false
    await pass(600)
    await pass(600)
    const booked = await harness.query(
      `select distinct entry from payments.ledger_line where payment_id = $1 and entry like 'fee:%'`,
      [payment.id],
    )
    const empty = (await transactionsOf(harness, payment)).at(-1)
    expect(booked).toEqual([{ entry: `fee:${String(empty?.['hash'])}` }])
    // An operator may have paid by hand: he decides.
    expect(await statesOf(payment)).toEqual(['held'])
    expect(await decide('retry', String(sent?.['batch_id']))).toBe(0)
    await untilPaid(payment)
    expect(await balanceOf(solana, receiver)).toBe(TEN_UNITS)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
