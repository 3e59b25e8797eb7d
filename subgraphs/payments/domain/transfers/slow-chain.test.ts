import { keccak256, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { wholePool } from '../../../../test/harness/evm-node-pool.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { cryptoInput, signPayment } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { createTransaction } from '../create-transaction.js'
import { executeOnChain } from './execute-on-chain.js'

const harness = await startSettlementHarness({ confirmations: 3 })

/** A request that may not wait as long as it would. */
const hurried = { ...harness.deps, isStopping: () => true }
const payer = () => privateKeyToAccount(harness.treasuryKey)

afterEach(async () => {
  Object.assign(harness.pool, wholePool())
  await harness.anvil.setAutomine(true)
})

async function signedPayment() {
  const receiver = harness.newReceiver()
  const config = { splitPaymentConfig: [{ receiverWallet: receiver, receiverPercent: 100 }] }
  const registered = await checkoutPayment(harness, config)
  const payment = await createTransaction(harness.deps, harness.tenant, cryptoInput(registered, payer().address))
  const raw = await signPayment(payer(), payment)
  const handIn = () => executeOnChain(hurried, harness.tenant, { paymentId: payment.id, signedTransaction: raw })
  return { payment, receiver, raw, handIn }
}

describe("a payer's transaction on a chain that is slower than a client waits", () => {
  it('is received, and its payment completes by itself', async () => {
    await harness.anvil.setAutomine(false)
    const { payment, receiver, raw, handIn } = await signedPayment()
    const received = { id: payment.id, tidHash: keccak256(raw), settled: false }
    expect(await handIn()).toEqual(received)
    await harness.anvil.mine({ blocks: 1 })
    expect(await handIn()).toEqual(received)
    await harness.goOn(10)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', tidHash: null })
    await harness.anvil.mine({ blocks: 2 })
    await harness.goOn(10)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', tidHash: keccak256(raw) })
    expect(await handIn()).toEqual({ ...received, settled: true })
    expect(await harness.balanceOf(receiver)).toBe(parseUnits(payment.amountTo ?? '', 6))
  })

  it('is not called received while no node has said that it took it', async () => {
    harness.pool.isCut = ([method]) => method === 'eth_sendRawTransaction'
    await harness.anvil.setAutomine(false)
    const { payment, handIn } = await signedPayment()
    await expect(handIn()).rejects.toMatchObject({ code: 'broadcast_confirmation_timeout' })
    Object.assign(harness.pool, wholePool())
    await harness.anvil.mine({ blocks: 3 })
    await harness.goOn(10)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
  })
})
