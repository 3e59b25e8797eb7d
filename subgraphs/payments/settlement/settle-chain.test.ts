import { parseUnits, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { paidPayment, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { transactionsOf } from '../fixtures/rows.js'
import { withAdvisoryLock } from '../../../kernel/advisory-lock.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { settleChain } from './settle-chain.js'
import { settleChainAgainJob, settleChainJob } from './settlement-jobs.js'

const harness = await startSettlementHarness()

const splitOf = (...percents: number[]) =>
  percents.map((receiverPercent) => ({ receiverWallet: harness.newReceiver(), receiverPercent }))
const balancesOf = (split: readonly { receiverWallet: string }[]) =>
  Promise.all(split.map(({ receiverWallet }) => harness.balanceOf(receiverWallet as Hex)))

describe('settlement on an EVM chain', () => {
  it('pays the quoted amount once, and tells its hash, as soon as the charge is paid', async () => {
    const splitPaymentConfig = splitOf(100)
    const { payment, endToEndId } = await paidPayment(harness, { splitPaymentConfig })
    const settled = await presentOf(harness, payment)
    expect(settled.status).toBe('success')
    expect(await balancesOf(splitPaymentConfig)).toEqual([parseUnits('18.450185', 6)])
    const { status } = await harness.anvil.getTransactionReceipt({ hash: settled.tidHash as Hex })
    expect(status).toBe('success')
    expect(settled.globalPaymentData).toMatchObject({
      status: 'CONCLUIDA',
      confirmed_at: expect.stringMatching(/Z$/) as string,
      receipt_id: endToEndId,
      crypto_payment_details: {
        chain_name: 'polygon',
        amount_usdt: '18.450185',
        receiver_wallet: splitPaymentConfig[0]?.receiverWallet,
        transaction_hash: settled.tidHash,
      },
      transfers: [
        {
          receiver_wallet: splitPaymentConfig[0]?.receiverWallet,
          amount: '18.450185',
          token: 'USDT',
          chain: 'polygon',
          transaction_hash: settled.tidHash,
        },
      ],
    })
    const events = await harness.deps.payments.history(harness.tenant.id, payment.id)
    expect(events.filter(({ notify }) => notify).map(({ type }) => type)).toEqual([
      'payment.registered',
      'payment.pending',
      'payment.success',
    ])
  })

  it('shares exactly: each share rounded down, what remains to the first', async () => {
    const splitPaymentConfig = splitOf(33.33, 33.33, 33.34)
    const { payment } = await paidPayment(harness, { splitPaymentConfig, amountFrom: '0.01' })
    // 0.01 BRL are 0.001845 USDT.
    expect(await balancesOf(splitPaymentConfig)).toEqual([616n, 614n, 615n])
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'success',
      globalPaymentData: {
        crypto_payment_details: { amount_usdt: '0.000616', receiver_wallet: splitPaymentConfig[0]?.receiverWallet },
        transfers: ['0.000616', '0.000614', '0.000615'].map((amount) => ({ amount })),
      },
    })
  })

  it('books every movement, so that ledger, receipts and chain agree', async () => {
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    const balances = await harness.deps.ledger.balances()
    const of = (account: string, currency: string) =>
      balances.find((balance) => balance.account === account && balance.currency === currency)?.balance
    expect(of('provider:pix', 'BRL')).toBe('100.01')
    expect(of('tenant', 'BRL')).toBe('0')
    expect(of('tenant', 'USDT')).toBe('0')
    expect(of('treasury:polygon', 'USDT')).toBe('-18.45203')
    const spent = parseUnits(of('fees:polygon', 'POL') ?? '0', 18)
    expect(spent).toBe(parseUnits('10000', 18) - (await harness.anvil.getBalance({ address: harness.treasury })))
  })

  it('waits for an empty treasury to be funded, alerts, and then pays once', async () => {
    await harness.emptyTreasury()
    const splitPaymentConfig = splitOf(60, 40)
    const { payment } = await paidPayment(harness, { splitPaymentConfig })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    const [alert] = await harness.deps.alerts.list()
    expect(alert).toMatchObject({ kind: 'treasury_shortage', subject: 'polygon' })
    await harness.goOn(20)
    expect((await harness.deps.alerts.list())[0]?.count).toBeGreaterThan(alert?.count ?? 0)
    await harness.fundTreasury('1000')
    await harness.goOn(20)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await balancesOf(splitPaymentConfig)).toEqual([11_070_111n, 7_380_074n])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('begins soon what is wanted while a run goes on, though that run leaves something for later', async () => {
    const { deps, treasury } = harness
    await withAdvisoryLock(deps.pool, `treasury:polygon:${treasury}`, async () => {
      await deps.addJobNow(settleChainJob('polygon'))
      expect((await harness.runJobs()).ran).toContain('settle-chain')
      await deps.addJobNow(settleChainAgainJob('polygon', new Date(deps.clock.now().getTime() + 3_600_000)))
    })
    await harness.advance(1)
    expect((await harness.runJobs()).ran).toContain('settle-chain')
  })

  it('plans what it has left for later while nobody else can: a process that stands still then puts nothing off', async () => {
    const { deps, treasury } = harness
    const planned: unknown[] = []
    const addJobNow: typeof deps.addJobNow = async ({ key }) => {
      const free = await withAdvisoryLock(deps.pool, `treasury:polygon:${treasury}`, () => Promise.resolve('free'))
      planned.push([key, free?.result])
    }
    await settleChain({ ...deps, addJobNow }, { chainName: 'polygon' })
    const nextRetryAt = new Date(deps.clock.now().getTime() + 3_600_000)
    const payouts = { ...deps.payouts, nextWaitingAt: () => Promise.resolve(nextRetryAt) }
    await settleChain({ ...deps, payouts, addJobNow }, { chainName: 'polygon' })
    expect(planned).toEqual([
      ['follow-finality:polygon', undefined],
      ['settle-chain:polygon:again', undefined],
    ])
  })

  it('raises the fees of a transaction that no block takes, and pays once', async () => {
    const splitPaymentConfig = splitOf(100)
    const before = await harness.transactionCount()
    await harness.anvil.setAutomine(false)
    const { payment } = await paidPayment(harness, { splitPaymentConfig })
    await harness.goOn(61)
    const versions = await transactionsOf(harness, payment)
    expect(versions.map(({ version, nonce }) => [version, nonce])).toEqual([
      [0, before],
      [1, before],
    ])
    await harness.anvil.mine({ blocks: 1 })
    await harness.anvil.setAutomine(true)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await balancesOf(splitPaymentConfig)).toEqual([parseUnits('18.450185', 6)])
    expect(await harness.transactionCount()).toBe(before + 1)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('raises no fees of what no node has taken, however long one answers that it failed, and pays once', async () => {
    const splitPaymentConfig = splitOf(100)
    const failure = { code: -32603, message: 'Internal error' }
    harness.pool.refuses = ({ method }) => method === 'eth_sendRawTransaction' && failure
    const { payment } = await paidPayment(harness, { splitPaymentConfig })
    for (let minute = 0; minute < 3; minute += 1) await harness.goOn(61)
    const versions = await transactionsOf(harness, payment)
    expect(versions).toMatchObject([{ version: 0 }])
    expect(await harness.deps.alerts.list()).toContainEqual(
      expect.objectContaining({ kind: 'payout_stuck', subject: versions[0]?.['batch_id'] }),
    )
    harness.pool.refuses = () => false
    await harness.goOn(20)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await balancesOf(splitPaymentConfig)).toEqual([parseUnits('18.450185', 6)])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('pays after a transaction of its own was reverted, and never twice', async () => {
    const splitPaymentConfig = splitOf(100)
    await harness.anvil.setAutomine(false)
    const { payment } = await paidPayment(harness, { splitPaymentConfig })
    // The money is gone by the time the transaction gets into a block.
    const held = await harness.setTreasuryUnits(0n)
    await harness.anvil.mine({ blocks: 1 })
    await harness.setTreasuryUnits(held)
    await harness.anvil.setAutomine(true)
    await harness.goOn(1)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect((await harness.deps.alerts.list()).map(({ kind }) => kind)).toContain('payout_failed')
    await harness.goOn(61)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await balancesOf(splitPaymentConfig)).toEqual([parseUnits('18.450185', 6)])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
