import { expect, it } from 'vitest'
import { balanceOf } from '../../../../test/harness/solana-side.js'
import { startSolanaSettlementHarness } from '../../../../test/harness/settlement.js'
import { until } from '../../../../test/harness/until.js'
import { signSolanaPayment, solanaCheckout, solanaInput } from '../../fixtures/crypto-payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { createTransaction } from '../create-transaction.js'
import { executeOnChain } from './execute-on-chain.js'

const harness = await startSolanaSettlementHarness()
const { solana, pool } = harness

/** A request that may not wait as long as it would. */
const hurried = { ...harness.deps, isStopping: () => true }

it("a payer's transaction that a node may have taken is never given back to be signed anew, and pays once", async () => {
  const { id, receiver } = await solanaCheckout(harness)
  const input = solanaInput(id, solana.payer.publicKey.toBase58())
  const payment = await createTransaction(harness.deps, harness.tenant, input)
  const signedTransaction = signSolanaPayment(solana.payer, payment)
  const handIn = () => executeOnChain(hurried, harness.tenant, { paymentId: id, signedTransaction })
  const unconfirmed = { code: 'broadcast_confirmation_timeout' }
  pool.isBehind = (method) => method === 'sendTransaction'
  pool.refuses = 'doubtful'
  await expect(handIn()).rejects.toMatchObject(unconfirmed)
  pool.refuses = 'failing'
  await expect(handIn()).rejects.toMatchObject(unconfirmed)
  await harness.pass(10)
  const waiting = { status: 'pending', signedTransaction }
  expect(await presentOf(harness, payment)).toMatchObject(waiting)
  await expect(createTransaction(harness.deps, harness.tenant, input)).rejects.toMatchObject({
    code: 'payment_already_processed',
  })
  // What the node had taken lands.
  await solana.client.call('sendTransaction', [signedTransaction, { encoding: 'base64' }])
  await until('it is paid', async () => {
    await harness.pass(1)
    return (await presentOf(harness, payment)).status === 'success'
  })
  expect(await balanceOf(solana, receiver)).toBeGreaterThan(0n)
  expect(await harness.deps.alerts.list()).toEqual([])
})
