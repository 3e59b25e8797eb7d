import { describe, expect, it } from 'vitest'
import { startAddressHarness } from '../../fixtures/address-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { railOfType } from '../../rails/find-rail.js'
import type { Payment } from '../../store/payment.entity.js'
import { acceptUnderpayment } from './accept-underpayment.js'
import { watchAddresses } from './watch-addresses.js'

const { harness, deps, tenant, open, addressOf, send, pass, priceRunsOut, alertsOn } = await startAddressHarness()

/** A payment whose payer has taken the same address of another chain, or had it from a database that has lost it since. */
async function openedOver(amount: string): Promise<Payment> {
  const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
  const payment = await checkoutPayment(harness, { splitPaymentConfig })
  const rail = railOfType(deps, 'crypto')
  if (rail?.kind !== 'wallet') throw new Error('no wallet can pay')
  await send((await rail.placeAddress(payment, 'polygon')).place, amount)
  await pass()
  return open(payment)
}

it('what lay at an address before it was opened is told to an operator once, and keeps its payment from no end', async () => {
  const payment = await openedOver('0.000001')
  await pass()
  const told = { kind: 'deposit_unexpected', details: expect.stringContaining('0.000001 USDT lay at') as string }
  expect(await alertsOn(payment)).toMatchObject([told])
  await send(await addressOf(payment), '5')
  await pass()
  await priceRunsOut()
  await pass()
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'underpaid' } })
  expect(await acceptUnderpayment(deps, tenant, { id: payment.id })).toMatchObject({ status: 'pending' })
  await pass(3)
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
  expect(await alertsOn(payment)).toMatchObject([told])
  expect(await deps.ledger.findDiscrepancies()).toEqual([])
})

describe('what came to an address after its watch was over', () => {
  /** Its payment, to which a part came in time; and whether the chain is read over what came later before it is opened again. */
  async function openedAgain(isPassed: boolean): Promise<Payment> {
    const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
    const payment = await open(await checkoutPayment(harness, { splitPaymentConfig }))
    const address = await addressOf(payment)
    await send(address, '3')
    await pass(2)
    // Twice: what comes soon after a price is still looked for.
    await priceRunsOut()
    await priceRunsOut()
    await pass()
    const now = harness.clock.now().toISOString()
    await harness.query('update payments.payment_address set watch_until = $1 where payment_id = $2', [now, payment.id])
    await send(address, '4')
    await pass(2)
    if (isPassed) await watchAddresses(deps, { chainName: 'polygon', scope: 'all' })
    return open(payment)
  }

  /** The rest of it does not come: first it is not confirmed, then it is too little. */
  async function endsWith(payment: Payment, receivedAmount: string): Promise<void> {
    await send(await addressOf(payment), '2')
    await priceRunsOut()
    await expect(open(payment)).rejects.toMatchObject({ code: 'payment_already_processed' })
    await pass(3)
    const underpaid = { status: 'error', receivedAmount, dataError: { code: 'underpaid' } }
    expect(await presentOf(harness, payment)).toMatchObject(underpaid)
  }

  it('is told once it is opened again, and keeps its payment from no end', async () => {
    const payment = await openedAgain(true)
    await pass(2)
    const told = { kind: 'deposit_unexpected', details: expect.stringContaining('4 USDT lay at') as string }
    expect(await alertsOn(payment)).toMatchObject([told])
    await endsWith(payment, '5')
    await open(payment)
    expect(await addressOf(payment)).toMatchObject({ laidBefore: 4_000_000n })
    expect(await alertsOn(payment)).toMatchObject([told])
  })

  it('counts, and once, where the chain is read over it after that', async () => {
    const payment = await openedAgain(false)
    await pass(2)
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: '7' })
    expect(await addressOf(payment)).toMatchObject({ laidBefore: 0n })
    await endsWith(payment, '9')
  })
})
