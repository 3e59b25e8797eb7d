import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../kernel/errors.js'
import { DUE, units, startAddressHarness } from '../../fixtures/address-payments.js'
import { cryptoInput } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { runLedger } from '../../fixtures/run-ledger.js'
import { bookedFor } from '../../fixtures/rows.js'
import { cancelPayment } from '../cancel-payment.js'
import { createTransaction } from '../create-transaction.js'
import { acceptUnderpayment } from './accept-underpayment.js'
import { giveBackUnderpayment } from './give-back-underpayment.js'
import { setTolerance } from './set-tolerance.js'
import { startWatching } from './watch-addresses.js'
import type { Address } from 'viem'

const {
  harness,
  deps,
  tenant,
  USDT,
  USDC,
  open,
  opened,
  addressOf,
  send,
  priceRunsOut,
  pass,
  untilSettled,
  causesOf,
  holdingOf,
} = await startAddressHarness()

describe('a payment to whose address another amount comes than was asked for, or late', () => {
  it('that was paid with too little waits, is underpaid when the price has run out, and its tenant may accept it', async () => {
    const { payment, address, receiver } = await opened()
    await send(address, '18')
    await pass()
    await expect(createTransaction(deps, tenant, cryptoInput(payment, receiver))).rejects.toMatchObject({
      code: 'payment_already_processed',
    })
    await expect(cancelPayment(deps, tenant, { id: payment.id })).rejects.toMatchObject({
      code: 'payment_already_processed',
    })
    await priceRunsOut()
    await pass()
    const underpaid = await presentOf(harness, payment)
    expect(underpaid).toMatchObject({
      status: 'error',
      receivedAmount: '18',
      dataError: { code: 'underpaid', details: '18' },
    })
    const accepted = await acceptUnderpayment(deps, tenant, { id: payment.id })
    expect(await acceptUnderpayment(deps, tenant, { id: payment.id })).toMatchObject({ sequence: accepted.sequence })
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: '18', dataError: null })
    expect(await harness.balanceOf(receiver)).toBe(units('18'))
  })

  it('that is underpaid is given back once from its tenant’s balance for refunds, and its receivers keep what came', async () => {
    const { payment, address, receiver } = await opened()
    const giveBack = (wallet: string) => giveBackUnderpayment(deps, tenant, { paymentId: payment.id, wallet })
    const wallet = harness.newReceiver()
    await send(address, '18')
    await pass()
    await expect(giveBack(wallet)).rejects.toMatchObject({ code: 'payment_not_refundable' })
    await priceRunsOut()
    await pass()
    await expect(giveBack(address.address)).rejects.toMatchObject({ errors: [{ field: 'wallet' }] })
    await expect(giveBack(USDT)).rejects.toMatchObject({ errors: [{ field: 'wallet' }] })
    await expect(giveBack(wallet)).rejects.toMatchObject({ code: 'insufficient_refund_balance' })
    const topUp = ['--tenant', tenant.id, '--currency', 'USDT', '--amount', '20', '--reference', payment.id]
    expect(await runLedger(harness, 'fund-refunds', ...topUp)).toBe(0)
    await harness.fundTreasury('100')
    const demoted = { ...tenant, assertMayStill: () => Promise.reject(new AppError('permission_denied')) }
    await expect(giveBackUnderpayment(deps, demoted, { paymentId: payment.id, wallet })).rejects.toMatchObject({
      code: 'permission_denied',
    })
    const settled = await Promise.allSettled([giveBack(wallet), giveBack(wallet), giveBack(harness.newReceiver())])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    await expect(acceptUnderpayment(deps, tenant, { id: payment.id })).rejects.toMatchObject({
      code: 'payment_already_processed',
    })
    await pass(12)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'refunded' } })
    expect(await harness.balanceOf(receiver)).toBe(units('18'))
    const payouts = await deps.payouts.findAll(payment)
    expect(payouts.map(({ state, amount }) => [state, amount])).toEqual([['confirmed', '18']])
    expect(await harness.balanceOf(payouts[0]?.receiver as Address)).toBe(units('18'))
    expect((await causesOf(payment)).filter((cause) => cause === 'deposit_given_back')).toHaveLength(1)
    // What comes after that lies at the address; what was shared out does not any more.
    await send(address, '3')
    await pass(2)
    const held = await deps.ledger.balances(tenant.id)
    expect(held.find(({ account }) => account === 'deposits:polygon')).toMatchObject({ balance: '3', currency: 'USDT' })
    expect(await holdingOf(USDT, address.address)).toBe(units('3'))
    expect((await deps.differences.list({ isClosedToo: false, limit: 9 })).map(({ actual }) => actual)).toEqual(['3'])
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('that is underpaid by next to nothing is not given back: the transaction would cost more', async () => {
    const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
    const payment = await open(await checkoutPayment(harness, { splitPaymentConfig, toCurrencySymbol: 'USDC' }))
    await send(await addressOf(payment), '0.009999', USDC)
    await pass()
    await priceRunsOut()
    await pass()
    expect(await presentOf(harness, payment)).toMatchObject({ dataError: { code: 'underpaid' } })
    const wallet = harness.newReceiver()
    await expect(giveBackUnderpayment(deps, tenant, { paymentId: payment.id, wallet })).rejects.toMatchObject({
      errors: [{ field: 'paymentId' }],
    })
    expect(await deps.payouts.findAll(payment)).toEqual([])
  })

  it('that was underpaid is paid by the rest, late', async () => {
    const { payment, address } = await opened()
    await send(address, '18')
    await pass()
    await priceRunsOut()
    await pass()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error' })
    await send(address, '0.450185')
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: DUE, late: true, dataError: null })
  })

  it('is not underpaid while the rest waits for its confirmations, however long these take', async () => {
    const { payment, address } = await opened()
    await send(address, '18')
    await pass()
    await priceRunsOut()
    await send(address, '0.450185')
    await harness.goOn(1)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', receivedAmount: '18' })
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: DUE })
    expect(await causesOf(payment)).not.toContain('underpaid')
  })

  it('that is underpaid is neither accepted nor given back while more waits for its confirmations', async () => {
    const { payment, address } = await opened()
    const accept = () => acceptUnderpayment(deps, tenant, { id: payment.id })
    const giveBack = () => giveBackUnderpayment(deps, tenant, { paymentId: payment.id, wallet: harness.newReceiver() })
    await send(address, '18')
    await pass()
    await priceRunsOut()
    await pass()
    expect(await presentOf(harness, payment)).toMatchObject({ dataError: { code: 'underpaid' } })
    await send(address, '0.450185')
    const MONEY_CAME = expect.stringContaining('waits for its confirmations') as string
    await expect(accept()).rejects.toMatchObject({ code: 'payment_already_processed', message: MONEY_CAME })
    await expect(giveBack()).rejects.toMatchObject({ code: 'payment_not_refundable', message: MONEY_CAME })
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: DUE, overpaidAmount: null })
    const settled = await accept()
    await send(address, '1')
    expect(await accept()).toMatchObject({ sequence: settled.sequence })
  })

  it('is not taken for less than waits for its confirmations where somebody has shared out what was counted', async () => {
    const { payment, address } = await opened()
    await send(address, '18')
    await pass()
    await priceRunsOut()
    await pass()
    const underpaid = await presentOf(harness, payment)
    expect(underpaid).toMatchObject({ dataError: { code: 'underpaid' } })
    for (let step = 'stepped'; step !== 'done'; await pass())
      step = (await deps.settleStep(underpaid, units('18'))).kind
    expect(await holdingOf(USDT, address.address)).toBe(0n)
    await send(address, '0.450185')
    const code = 'payment_already_processed'
    await expect(acceptUnderpayment(deps, tenant, { id: payment.id })).rejects.toMatchObject({ code })
    await expect(open(payment)).rejects.toMatchObject({ code })
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: DUE, overpaidAmount: null })
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('whose whole comes late is accepted and marked', async () => {
    const { payment, address } = await opened()
    await priceRunsOut()
    await send(address, DUE)
    await startWatching(deps)
    expect(await untilSettled(payment)).toMatchObject({ late: true })
  })

  it('says what came beyond what was due, and the receivers get that too, also what comes after all was paid', async () => {
    const { payment, address, receiver } = await opened()
    await send(address, '20')
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: '20', overpaidAmount: '1.549815' })
    await send(address, '5')
    // The gas payer looks at what it has sent for this before after five seconds.
    await pass(9)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', overpaidAmount: '6.549815' })
    expect(await harness.balanceOf(receiver)).toBe(units('25'))
    const { entries, currencies } = await bookedFor(harness, payment)
    expect(entries).toEqual(['wallet', 'wallet:0', 'wallet:0:25000000', 'wallet:paid:25000000'])
    expect(currencies).toEqual(['USDT'])
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is not swept for dust at our gas once it is paid, until enough has come', async () => {
    const receiver = harness.newReceiver()
    const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
    const payment = await open(await checkoutPayment(harness, { splitPaymentConfig, toCurrencySymbol: 'USDC' }))
    const address = await addressOf(payment)
    const due = payment.amountTo ?? ''
    const received = () => holdingOf(USDC, receiver)
    await send(address, due, USDC)
    await untilSettled(payment)
    await send(address, '0.009999', USDC)
    await pass(4)
    expect(await received()).toBe(units(due))
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', overpaidAmount: '0.009999' })
    await send(address, '0.000001', USDC)
    await pass(4)
    expect(await received()).toBe(units(due) + 10_000n)
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is neither accepted nor priced where its receivers would get less than the least', async () => {
    const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
    const tiny = await checkoutPayment(harness, { splitPaymentConfig, toCurrencySymbol: 'USDC', amountFrom: '0.05' })
    await expect(open(tiny)).rejects.toMatchObject({ code: 'validation_error', errors: [{ field: 'paymentId' }] })
    const payment = await open(await checkoutPayment(harness, { splitPaymentConfig, toCurrencySymbol: 'USDC' }))
    await send(await addressOf(payment), '0.005', USDC)
    await pass()
    await priceRunsOut()
    await pass()
    await expect(acceptUnderpayment(deps, tenant, { id: payment.id })).rejects.toMatchObject({
      code: 'validation_error',
      errors: [{ field: 'id' }],
    })
  })

  it('takes a little less for the whole where its tenant says so', async () => {
    await setTolerance(deps, tenant, '1.5')
    const { payment, address } = await opened()
    await setTolerance(deps, tenant, '0')
    await expect(setTolerance(deps, tenant, '10.01')).rejects.toMatchObject({ code: 'validation_error' })
    await send(address, '18.173431')
    await pass(2)
    expect(await presentOf(harness, payment)).toMatchObject({ tidHash: null })
    await send(address, '0.000002')
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: '18.173433' })
  })
})
