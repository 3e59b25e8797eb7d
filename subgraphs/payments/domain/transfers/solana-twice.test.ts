import { describe, expect, it } from 'vitest'
import { balanceOf } from '../../../../test/harness/solana-side.js'
import { signSolanaPayment, solanaCheckout, solanaInput } from '../../fixtures/crypto-payments.js'
import { chargeOf, payAndProcess, presentOf, startPix } from '../../fixtures/pix-payments.js'
import { until } from '../../../../test/harness/until.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'
import { endWalletAttempt } from './end-wallet-attempt.js'
import { executeOnChain } from './execute-on-chain.js'
import { startSolanaSettlementHarness } from '../../../../test/harness/settlement.js'

const harness = await startSolanaSettlementHarness()
const { solana, pool } = harness

const created = (id: string) =>
  createTransaction(harness.deps, harness.tenant, solanaInput(id, solana.payer.publicKey.toBase58()))
const executed = async (payment: Payment) => {
  const signedTransaction = signSolanaPayment(solana.payer, payment)
  return executeOnChain(harness.deps, harness.tenant, { paymentId: payment.id, signedTransaction })
}

describe("a payer's transaction on Solana that all nodes have lost sight of", () => {
  it('is given up, and told to an operator once it turns up beside the one that paid instead', async () => {
    const { id, receiver } = await solanaCheckout(harness)
    pool.forgets = true
    pool.isBehind = (method) => ['getSignatureStatuses', 'getSignaturesForAddress', 'getTransaction'].includes(method)
    const first = executed(await created(id)).catch((error: unknown) => error)
    await until('it has landed', async () => (await balanceOf(solana, receiver)) > 0n)
    await solana.solana.advance(80)
    expect(await first).toMatchObject({ code: 'payment_failed' })
    expect(await presentOf(harness, { id } as Payment)).toMatchObject({ dataError: { code: 'transaction_dropped' } })
    pool.isBehind = () => false
    expect(await executed(await created(id))).toMatchObject({ settled: true })
    expect(await harness.deps.alerts.list()).toEqual([])
    await harness.goOn(301)
    expect(await harness.deps.alerts.list()).toMatchObject([{ kind: 'paid_twice', subject: id }])
  })

  it('and that nobody has handed in is found beside the Pix that paid instead', async () => {
    pool.forgets = false
    const { id, receiver } = await solanaCheckout(harness)
    const payment = await created(id)
    await endWalletAttempt(harness.deps, harness.tenant, { id })
    await payAndProcess(harness, (await chargeOf(harness, await startPix(harness, payment))).reference)
    await until('the receiver is paid', async () => {
      await harness.pass(1)
      return (await presentOf(harness, payment)).status === 'success'
    })
    await solana.client.call('sendTransaction', [signSolanaPayment(solana.payer, payment), { encoding: 'base64' }])
    await until('it has landed', async () => (await balanceOf(solana, receiver)) > 15_000_000n)
    await harness.goOn(301)
    await harness.runJobs()
    const alerts = await harness.deps.alerts.list()
    expect(alerts).toContainEqual(expect.objectContaining({ kind: 'paid_twice', subject: id }))
    expect(await presentOf(harness, payment)).toMatchObject({ overpaidAmount: '10.000923' })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
