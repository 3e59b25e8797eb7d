import { parseEther, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { runDueJobs } from '../../../test/harness/job-runner.js'
import { cryptoInput, signPayment } from '../fixtures/crypto-payments.js'
import { checkoutPayment } from '../fixtures/payments.js'
import { chargedPayment, payCharge, presentOf } from '../fixtures/pix-payments.js'
import { loseJobs } from '../fixtures/rows.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { paymentJobs } from '../jobs.js'
import type { Payment } from '../store/payment.entity.js'
import { createTransaction } from './create-transaction.js'
import { executeOnChain } from './transfers/execute-on-chain.js'
import { restoreLostJobs } from './restore-lost-jobs.js'

const harness = await startSettlementHarness()
const operator = harness.options.gasPayerSigner.address
await harness.anvil.setBalance({ address: operator, value: parseEther('100') })

const receiver = (receiverPercent: number) => ({ receiverWallet: harness.newReceiver(), receiverPercent })
const jobNames = async () => {
  const rows = await harness.query(
    `select task.identifier as name from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = job.task_id order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** Loses every job, lets time go by, and looks for what was lost, twice. Gives the names of what was added. */
async function loseAndRevive(): Promise<unknown[]> {
  await loseJobs(harness)
  await restoreLostJobs(harness.deps)
  expect(await jobNames()).toEqual([])
  await harness.advance(301)
  await restoreLostJobs(harness.deps)
  await restoreLostJobs(harness.deps)
  return jobNames()
}

describe('work whose job was lost', () => {
  it('is gone on with where a charge was paid and nobody looks', async () => {
    const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig: [receiver(100)] })
    await payCharge(harness, txid)
    expect(await loseAndRevive()).toEqual(['process-provider-event', 'watch-charge'])
    await harness.runJobs()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
  })

  it('is gone on with where a provider has told of money, and could not be asked until its tries were used up', async () => {
    const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig: [receiver(100)] })
    await payCharge(harness, txid)
    const told = paymentJobs(harness.deps).filter(({ name }) => name === 'process-provider-event')
    const lookInto = async () => (await runDueJobs(harness.db.pool, told)).ran.length
    await harness.pixControl('/faults', { mode: 'error', times: 1_000 })
    expect(await lookInto()).toBe(8)
    await restoreLostJobs(harness.deps)
    expect(await lookInto()).toBe(0)
    await harness.advance(301)
    // It is added again with as few tries, so that after a long outage the next is not hours away.
    for (let time = 0; time < 2; time += 1) {
      await restoreLostJobs(harness.deps)
      await restoreLostJobs(harness.deps)
      expect(await lookInto()).toBe(8)
    }
    await harness.pixControl('/faults', { mode: 'ok' })
    await restoreLostJobs(harness.deps)
    expect(await lookInto()).toBe(1)
    await restoreLostJobs(harness.deps)
    expect(await lookInto()).toBe(0)
    expect(await harness.deps.payouts.findAll(payment)).toHaveLength(1)
    await harness.runJobs()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is gone on with where receivers are owed and nobody pays', async () => {
    const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig: [receiver(60), receiver(40)] })
    await payCharge(harness, txid)
    const kinds = paymentJobs(harness.deps).filter(({ name }) => name !== 'settle-chain')
    await runDueJobs(harness.db.pool, kinds)
    expect(await loseAndRevive()).toEqual(['settle-chain'])
    await harness.runJobs()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is gone on with where a payer has paid and nobody confirms', async () => {
    const { payment, signedTransaction } = await signedPayment([receiver(100)])
    await harness.anvil.setAutomine(false)
    const stopping = { ...harness.deps, isStopping: () => true }
    const executed = await executeOnChain(stopping, harness.tenant, { paymentId: payment.id, signedTransaction })
    expect(executed).toMatchObject({ settled: false })
    await harness.anvil.mine({ blocks: 1 })
    await harness.anvil.setAutomine(true)
    expect(await loseAndRevive()).toEqual(['confirm-payment'])
    await harness.runJobs()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
  })

  it('is gone on with where a split waits and nobody shares it out', async () => {
    const { payment, signedTransaction } = await signedPayment([receiver(60), receiver(40)])
    await executeOnChain(harness.deps, harness.tenant, { paymentId: payment.id, signedTransaction })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect(await loseAndRevive()).toEqual(['settle-split'])
    for (let step = 0; step < 5; step += 1) {
      await harness.runJobs()
      await harness.advance(1)
    }
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
  })
})

/** A payment in the native coin with what its payer has signed for it. */
async function signedPayment(
  splitPaymentConfig: Payment['splitPaymentConfig'],
): Promise<{ payment: Payment; signedTransaction: Hex }> {
  const payer = privateKeyToAccount(generatePrivateKey())
  await harness.anvil.setBalance({ address: payer.address, value: parseEther('1000') })
  const registered = await checkoutPayment(harness, { splitPaymentConfig, toCurrencySymbol: 'POL' })
  const input = cryptoInput(registered, payer.address, { payerTokenSymbol: 'POL' })
  const payment = await createTransaction(harness.deps, harness.tenant, input)
  const signedTransaction = await signPayment(payer, payment)
  return { payment, signedTransaction }
}
