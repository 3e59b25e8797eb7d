import { encodeFunctionData, parseUnits, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { sandboxTokenAbi } from '../../../../sandbox/anvil/seed.js'
import { MINTER } from '../../../../test/harness/evm-side.js'
import { act, mine } from '../../../../test/harness/evm.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { cryptoInput, signPayment } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'
import { confirmOnce } from './confirm-payment.js'
import { executeOnChain, storeBroadcast } from './execute-on-chain.js'
import { findSignedVersion } from './signed-version.js'

const harness = await startSettlementHarness()
const { anvil, deps, tenant } = harness

/** Two payments that a wallet is asked for by the same call, as by a router's whose data names no payment. */
async function alike() {
  const payer = privateKeyToAccount(generatePrivateKey())
  await anvil.setBalance({ address: payer.address, value: 10n ** 18n })
  const args = [payer.address, parseUnits('100', 6)] as const
  const data = encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'mint', args })
  await act({ anvil }, { from: MINTER, to: harness.chain.tokens['USDT']?.address as Hex, data })
  const receiver = harness.newReceiver()
  const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
  const asked = async () =>
    createTransaction(deps, tenant, cryptoInput(await checkoutPayment(harness, { splitPaymentConfig }), payer.address))
  const [first, second] = [await asked(), await asked()]
  const copy = `update payments.payment set unsigned_transaction =
    (select unsigned_transaction from payments.payment where id = $1) where id = $2`
  await harness.query(copy, [first.id, second.id])
  return { payer, receiver, first, second: await presentOf(harness, second) }
}

/** A signed transaction is written down for a payment, and looked at later. */
async function stored(payment: Payment, raw: Hex) {
  const version = await findSignedVersion(deps, payment, raw)
  const broadcast = await storeBroadcast(deps, payment, version, 'payer')
  return () => confirmOnce(deps, version.onChain, broadcast)
}

const DEARER = { maxFeePerGas: 90_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n }

describe('one transaction of a wallet', () => {
  it('does not pay another payment for which the wallet has signed the same call with the same nonce', async () => {
    const { payer, receiver, first, second } = await alike()
    const confirm = await stored(second, await signPayment(payer, second, DEARER))
    const raw = await signPayment(payer, first)
    await mine({ anvil }, raw)
    const paid = await executeOnChain(deps, tenant, { paymentId: first.id, signedTransaction: raw })
    expect(paid).toMatchObject({ settled: true })
    await expect(confirm()).rejects.toMatchObject({ code: 'payment_failed' })
    const failed = { status: 'error', tidHash: null, dataError: { code: 'transfer_mismatch' } }
    expect(await presentOf(harness, second)).toMatchObject(failed)
    expect(await harness.balanceOf(receiver)).toBe(parseUnits(first.amountTo ?? '', 6))
  })

  it('that has paid a payment under another hash than was handed in is given to no other by that', async () => {
    const { payer, first, second } = await alike()
    const confirm = await stored(first, await signPayment(payer, first))
    const { transactionHash: txHash } = await mine({ anvil }, await signPayment(payer, first, DEARER))
    expect(await confirm()).toEqual({ done: true, hash: txHash })
    await expect(executeOnChain(deps, tenant, { paymentId: second.id, txHash })).rejects.toMatchObject({
      code: 'invalid_signed_transaction',
    })
    expect(await presentOf(harness, second)).toMatchObject({ status: 'pending', tidHash: null })
    const again = await executeOnChain(deps, tenant, { paymentId: first.id, txHash })
    expect(again).toEqual({ id: first.id, tidHash: txHash, settled: true })
  })
})
