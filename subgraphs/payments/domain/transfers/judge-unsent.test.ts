import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { minedReceipt } from '../../../../sandbox/anvil/mined-receipt.js'
import { AppError } from '../../../../kernel/errors.js'
import { startAddressHarness } from '../../fixtures/address-payments.js'
import { cryptoInput, signPayment } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { PaymentsDeps } from '../../context.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'
import { executeOnChain } from './execute-on-chain.js'

const { harness, anvil, deps, tenant, open, addressOf, send, pass, untilSettled } = await startAddressHarness()
const payer = privateKeyToAccount(harness.treasuryKey)

/** A payment with an open address, for which a wallet has signed a transaction since. */
async function signedBesideAddress(percents: readonly number[] = [100]) {
  const splitPaymentConfig = percents.map((receiverPercent) => ({
    receiverWallet: harness.newReceiver(),
    receiverPercent,
  }))
  const opened = await open(await checkoutPayment(harness, { splitPaymentConfig }))
  const address = await addressOf(opened)
  const payment = await createTransaction(deps, tenant, cryptoInput(opened, payer.address))
  return { payment, address, raw: await signPayment(payer, payment) }
}

const execute = ({ id: paymentId }: Payment, signedTransaction: Hex, given: PaymentsDeps = deps) =>
  executeOnChain(given, tenant, { paymentId, signedTransaction })
/** What is asked for, while blocks go on. */
async function mining<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const state = { isOver: false }
  const ended = asked.finally(() => (state.isOver = true))
  // Where it is refused, that is told once the blocks have ended.
  ended.catch(() => undefined)
  while (!state.isOver) await pass()
  return ended
}
const transactionCount = () => anvil.getTransactionCount({ address: payer.address, blockTag: 'pending' })

describe('what a wallet has signed for a payment', () => {
  it('is not broadcast while something at its address waits for its confirmations, nor after a part of it has come there', async () => {
    const { payment, address, raw } = await signedBesideAddress()
    const before = await transactionCount()
    await send(address, '18')
    await expect(execute(payment, raw)).rejects.toMatchObject({ code: 'invalid_payment_status' })
    await pass()
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: '18' })
    await expect(execute(payment, raw)).rejects.toMatchObject({ code: 'invalid_payment_status' })
    expect(await transactionCount()).toBe(before)
    await send(address, '0.450185')
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: '18.450185' })
  })

  it('is not broadcast while nobody can tell, and is once nothing is at the address', async () => {
    const { payment, raw } = await signedBesideAddress()
    const asked: string[] = []
    const counting = {
      ...deps,
      readDeposited: (...address: Parameters<typeof deps.readDeposited>) => {
        asked.push(address[0].chainName)
        return deps.readDeposited(...address)
      },
    }
    const away = { ...deps, readDeposited: () => Promise.reject(new AppError('confirm_rpc_unavailable')) }
    await expect(execute(payment, raw, away)).rejects.toMatchObject({ code: 'confirm_rpc_unavailable' })
    expect(await mining(execute(payment, raw, counting))).toMatchObject({ id: payment.id })
    expect(asked).toEqual(['polygon'])
    expect(await untilSettled(payment)).toMatchObject({ status: 'success', receivedAmount: null })
  })

  it('counts where it is itself what has come to the address of its split', async () => {
    const { payment, raw } = await signedBesideAddress([60, 40])
    const hash = await anvil.sendRawTransaction({ serializedTransaction: raw })
    await minedReceipt(anvil, hash)
    expect(await mining(execute(payment, raw))).toMatchObject({ tidHash: hash })
    await untilSettled(payment)
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('counts where who watches that address is faster', async () => {
    const { payment, raw } = await signedBesideAddress([60, 40])
    const hash = await anvil.sendRawTransaction({ serializedTransaction: raw })
    await minedReceipt(anvil, hash)
    const readDeposited: typeof deps.readDeposited = async (...address) => {
      await pass(2)
      expect(await presentOf(harness, payment)).toMatchObject({ tidHash: hash })
      return deps.readDeposited(...address)
    }
    expect(await execute(payment, raw, { ...deps, readDeposited })).toMatchObject({ id: payment.id, tidHash: hash })
    await untilSettled(payment)
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })
})
