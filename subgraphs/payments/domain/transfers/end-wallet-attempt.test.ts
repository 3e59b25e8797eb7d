import { keccak256, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { fault } from '../../../../test/harness/control.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { cryptoInput, signPayment } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { chargeOf, presentOf, startPix } from '../../fixtures/pix-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'
import { endWalletAttempt } from './end-wallet-attempt.js'
import { executeOnChain } from './execute-on-chain.js'
import { minedReceipt } from '../../../../sandbox/anvil/mined-receipt.js'

const harness = await startSettlementHarness()
const payer = () => privateKeyToAccount(harness.treasuryKey)
const receiver = harness.newReceiver

async function walletPayment(to = receiver()): Promise<Payment> {
  const payment = await checkoutPayment(harness, {
    splitPaymentConfig: [{ receiverWallet: to, receiverPercent: 100 }],
  })
  return createTransaction(harness.deps, harness.tenant, cryptoInput(payment, payer().address))
}

const end = ({ id }: Payment) => endWalletAttempt(harness.deps, harness.tenant, { id })
const handIn = ({ id: paymentId }: Payment, txHash: string) =>
  executeOnChain(harness.deps, harness.tenant, { paymentId, txHash })

async function send(raw: Hex): Promise<Hex> {
  const hash = await harness.anvil.sendRawTransaction({ serializedTransaction: raw })
  await minedReceipt(harness.anvil, hash)
  return hash
}

describe('a payer who leaves his wallet for another way to pay', () => {
  it('can be charged once nothing was sent, and a second request changes nothing', async () => {
    const payment = await walletPayment()
    await expect(startPix(harness, payment)).rejects.toMatchObject({ code: 'payment_already_processed' })
    expect(await end(payment)).toMatchObject({ status: 'error', dataError: { code: 'attempt_ended' } })
    const { sequence } = await end(payment)
    expect((await presentOf(harness, payment)).sequence).toBe(sequence)
    expect(await startPix(harness, payment)).toMatchObject({ status: 'pending', transactionType: 'pixcrypto' })
    // Nor does it end a charge.
    expect(await end(payment)).toMatchObject({ status: 'pending', transactionType: 'pixcrypto' })
  })

  it('is not asked again where his wallet has paid at that moment, though nothing was handed in', async () => {
    const payment = await walletPayment()
    const hash = await send(await signPayment(payer(), payment))
    await expect(end(payment)).rejects.toMatchObject({ code: 'payment_already_processed' })
    expect(await handIn(payment, hash)).toMatchObject({ settled: true })
    await expect(end(await presentOf(harness, payment))).resolves.toMatchObject({ status: 'success' })
  })

  it('stays with his wallet while the chain cannot be asked', async () => {
    const payment = await walletPayment()
    await fault(harness.faultyNode.url, 'down')
    await expect(end(payment)).rejects.toMatchObject({ code: 'confirm_rpc_unavailable' })
    await fault(harness.faultyNode.url, 'ok')
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', transactionType: 'crypto' })
  })

  it('is not charged besides where the wallet pays after all: the charge is removed, and the wallet’s money counts', async () => {
    const to = receiver()
    const payment = await walletPayment(to)
    const raw = await signPayment(payer(), payment)
    await end(payment)
    const waiting = await startPix(harness, payment)
    const charge = await chargeOf(harness, waiting)
    await send(raw)
    expect(await handIn(payment, keccak256(raw))).toMatchObject({ settled: true, tidHash: keccak256(raw) })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', transactionType: 'crypto' })
    expect(await harness.deps.charges.find(charge.tenantId, charge.id)).toMatchObject({ state: 'closed' })
    expect(await harness.balanceOf(to)).toBeGreaterThan(0n)
  })

  it('has paid once a block has what his wallet sent, however its hash was written that was handed in before', async () => {
    const payment = await walletPayment()
    const raw = await signPayment(payer(), payment)
    const hash = keccak256(raw)
    await end(payment)
    await startPix(harness, payment)
    await harness.anvil.setAutomine(false)
    await harness.anvil.sendRawTransaction({ serializedTransaction: raw })
    const written = hash.toUpperCase().replace('0X', '0x')
    await expect(handIn(payment, written)).rejects.toMatchObject({ code: 'broadcast_confirmation_timeout' })
    await harness.anvil.setAutomine(true)
    await harness.anvil.mine({ blocks: 1 })
    // Before anybody looks what has become of its nonce.
    for (let time = 0; time < 3; time += 1) await harness.goOn(5)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', tidHash: hash })
  })

  it('has paid twice where the charge was paid as well, and an operator is told', async () => {
    const payment = await walletPayment()
    const raw = await signPayment(payer(), payment)
    await end(payment)
    const { reference } = await chargeOf(harness, await startPix(harness, payment))
    await harness.pixControl(`/cob/${reference}/pay`)
    await send(raw)
    await expect(handIn(payment, keccak256(raw))).rejects.toMatchObject({ code: 'invalid_payment_status' })
    await harness.runJobs()
    const alerts = await harness.deps.alerts.list()
    expect(alerts).toContainEqual(expect.objectContaining({ kind: 'paid_twice', subject: payment.id }))
  })
})

describe('a payer whose wallet has another transaction waiting when his is built', () => {
  const dear = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n }

  /** The other one waits, with the nonce that is given. */
  async function besideWaiting(to = receiver()): Promise<{ payment: Payment; nonce: number }> {
    const nonce = await harness.anvil.getTransactionCount({ address: payer().address })
    await harness.anvil.setAutomine(false)
    const { chainId } = harness.chain
    const other = { chainId, type: 'eip1559', nonce, to: receiver(), value: 1n, gas: 21_000n } as const
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
    const waiting = await payer().signTransaction({ ...other, ...fees })
    await harness.anvil.sendRawTransaction({ serializedTransaction: waiting })
    return { payment: await walletPayment(to), nonce }
  }
  async function mine(): Promise<void> {
    await harness.anvil.mine({ blocks: 1 })
    await harness.anvil.setAutomine(true)
    await harness.anvil.mine({ blocks: 3 })
  }

  it('has paid where the wallet has sent his in its place, though nothing was handed in', async () => {
    const to = receiver()
    const { payment, nonce } = await besideWaiting(to)
    const raw = await signPayment(payer(), payment, { nonce, ...dear })
    await harness.anvil.sendRawTransaction({ serializedTransaction: raw })
    await mine()
    expect(await harness.balanceOf(to)).toBeGreaterThan(0n)
    await expect(end(payment)).rejects.toMatchObject({ code: 'payment_already_processed' })
    for (let time = 0; time < 3; time += 1) await harness.goOn(301)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', tidHash: keccak256(raw) })
  })

  it('can be charged once only the other one has been mined', async () => {
    const { payment } = await besideWaiting()
    await mine()
    expect(await end(payment)).toMatchObject({ status: 'error', dataError: { code: 'attempt_ended' } })
  })
})
