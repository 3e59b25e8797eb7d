import type { Address, Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.js'
import { paidPayment, payCharge, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { backUp } from '../fixtures/restored-database.js'
import { transactionsOf } from '../fixtures/rows.js'
import { runLedgerWorking } from '../fixtures/run-ledger.js'
import { startTwoAccounts } from '../fixtures/two-accounts.js'
import { syncReceived } from '../domain/reconciliation/sync-received.js'
import type { Payment } from '../store/payment.entity.js'
import type { PayoutChain } from './payout-chain.js'
import { settleChainJob } from './settlement-jobs.js'

const { harness, first, second, other, fund, charged, wave, expectPaidOnce, accountsOf, alertsOf } =
  await startTwoAccounts({ finalityBlocks: 4 })
const { anvil, deps, treasury } = harness
afterEach(async () => {
  deps.payoutChains.evm = [first, second]
  await anvil.setAutomine(true)
})

const countOf = (address: Address) => anvil.getTransactionCount({ address })

describe('a treasury of two accounts', () => {
  it('keeps nobody waiting where one holds nothing, and is short of nothing', async () => {
    deps.payoutChains.evm = [second, first]
    const payments = await wave(2)
    await expectPaidOnce(payments)
    expect(await accountsOf(payments)).toEqual([treasury])
    expect(await alertsOf('treasury_shortage')).toEqual([])
  })

  it('shares a wave of payouts, each account with its own nonces, and pays everybody once', async () => {
    await fund(other, '1000')
    const before = [await countOf(treasury), await countOf(other)]
    await anvil.setAutomine(false)
    const payments = await wave(24)
    await harness.runJobs()
    expect(await accountsOf(payments)).toEqual([treasury, other].toSorted())
    await anvil.mine({ blocks: 1 })
    await anvil.setAutomine(true)
    await expectPaidOnce(payments)
    const sent = [await countOf(treasury), await countOf(other)].map((count, index) => count - (before[index] ?? 0))
    expect(Math.min(...sent)).toBeGreaterThan(0)
    const nonces = await harness.query(
      `select account, count(distinct nonce)::int as count, max(nonce) + 1 as next from payments.treasury_transaction
        group by account`,
    )
    for (const { account, count, next } of nonces) {
      expect(next).toBe(await countOf(account as Address))
      // The first account was given what it holds without a transaction of its own.
      expect(count).toBe(next)
    }
  })

  it('leaves to the other account what one cannot fund, and tells what is short where neither can', async () => {
    const taken = await harness.setTreasuryUnits(15_000_000n)
    const payments = await wave(3)
    await expectPaidOnce(payments)
    expect(await accountsOf(payments)).toEqual([treasury, other].toSorted())
    expect(await alertsOf('treasury_shortage')).toEqual([])
    const { payment } = await paidPayment(harness, {
      splitPaymentConfig: [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }],
      amountFrom: '54200',
    })
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'pending' })
    const [alert] = await alertsOf('treasury_shortage')
    expect(alert?.details).toBe(`1 payouts of USDT wait for funds of ${treasury}, ${other}`)
    await harness.setTreasuryUnits(taken)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('keeps nobody waiting where one account cannot sign', async () => {
    const prepare = () => Promise.reject(new AppError('provider_unavailable', { details: 'its signer is away' }))
    deps.payoutChains.evm = [{ ...first, prepare }, second]
    const payments = await wave(2)
    await expectPaidOnce(payments)
    expect(await accountsOf(payments)).toEqual([other])
  })

  it('pays nobody by one account whom the other has paid before its database was restored', async () => {
    deps.payoutChains.evm = [second]
    const payments = await wave(1)
    const [{ payment, receiver } = { payment: undefined, receiver: '0x' as Hex }] = payments
    const restore = await backUp(harness)
    await expectPaidOnce(payments)
    await restore()
    await syncReceived(deps)
    deps.payoutChains.evm = [first, second]
    await deps.addJobNow(settleChainJob('polygon'))
    for (let round = 0; round < 10; round += 1) await harness.goOn(1)
    const [payout] = await deps.payouts.findAll(payment as Payment)
    expect(payout).toMatchObject({ state: 'held' })
    expect(await harness.balanceOf(receiver)).toBe(10_000_000n)
    const found = await harness.query(
      `select account from payments.treasury_transaction where batch_id like 'foreign:%'`,
    )
    expect(found).toEqual([{ account: other }])
    const { hash } = (await harness.query('select hash from payments.foreign_transfer'))[0] ?? {}
    expect((await runLedgerWorking(harness, 'resolve', `foreign:${String(hash)}`, '--reason', 'seen')).code).toBe(0)
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('keeps only those waiting who may have been paid by what one has sent that nobody knows', async () => {
    const readForeign: PayoutChain['readForeign'] = () => Promise.resolve('waiting')
    const before = await wave(1)
    const registered = await charged()
    // As many as it looks at at once are old.
    deps.payoutChains.evm = [
      { ...first, readForeign },
      { ...second, unminedMax: 1, batchMax: 1 },
    ]
    await harness.goOn(1)
    await harness.goOn(300)
    // Where the charge was applied before a restore too, the first account may have paid it.
    await payCharge(harness, registered.txid)
    before.push(registered)
    await harness.goOn(1)
    await harness.goOn(3600)
    const after = await wave(1)
    await expectPaidOnce(after)
    expect(await accountsOf(after)).toEqual([other])
    expect(await accountsOf(before)).toEqual([])
    for (const one of before) expect(await presentOf(harness, one.payment)).toMatchObject({ status: 'pending' })
    expect((await alertsOf('payout_stuck')).map(({ details }) => details)).toContainEqual(
      expect.stringContaining(`transactions of ${treasury} that nobody here has written down`),
    )
    deps.payoutChains.evm = [first, second]
    await expectPaidOnce(before)
  })
})

describe('an account that the settings have no more', () => {
  it('has what it has sent followed to its end, and an operator is told once what needs its signature', async () => {
    deps.payoutChains.evm = [second]
    await anvil.setAutomine(false)
    const payments = await wave(1)
    await harness.runJobs()
    const { payment } = payments[0] as { payment: Payment }
    const [{ batch_id: batchId } = {}] = await transactionsOf(harness, payment)
    deps.payoutChains.evm = [first]
    await harness.goOn(61)
    await harness.goOn(61)
    const told = (await alertsOf('payout_stuck')).filter(({ subject }) => subject === batchId)
    expect(told).toMatchObject([
      { count: 1, details: expect.stringContaining(`${other} is not in the settings any more`) as string },
    ])
    expect(await transactionsOf(harness, payment)).toHaveLength(1)
    const { text: listed } = await runLedgerWorking(harness, 'transactions')
    expect(JSON.parse(listed)).toMatchObject([{ id: batchId, account: other }])
    const { code, text } = await runLedgerWorking(harness, 'cancel', String(batchId), '--reason', 'a test')
    expect(code).toBe(1)
    expect(text).toContain('for which this deployment does not sign any more')
    await anvil.mine({ blocks: 1 })
    await anvil.setAutomine(true)
    await expectPaidOnce(payments)
    await anvil.mine({ blocks: 5 })
    for (let round = 0; round < 12; round += 1) await harness.goOn(5)
    expect((await transactionsOf(harness, payment)).map(({ check_at: checkAt }) => checkAt)).toEqual([null])
    // The next ones are paid by the account that is left.
    const next = await wave(1)
    await expectPaidOnce(next)
    expect(await accountsOf(next)).toEqual([treasury])
  })
})
