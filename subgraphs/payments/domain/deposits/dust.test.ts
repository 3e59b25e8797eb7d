import { describe, expect, it } from 'vitest'
import { startAddressHarness } from '../../fixtures/address-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { cancelPayment } from '../cancel-payment.js'

const { harness, deps, tenant, USDC, open, addressOf, send, priceRunsOut, pass, alertsOn } = await startAddressHarness()

/** A payment to whose address so much USDC came; 0.01 is the least that is shared out, or given back. */
async function after(amount: string): Promise<Payment> {
  const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
  const payment = await open(await checkoutPayment(harness, { splitPaymentConfig, toCurrencySymbol: 'USDC' }))
  await send(await addressOf(payment), amount, USDC)
  await pass()
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', receivedAmount: amount })
  return payment
}

const cancel = ({ id }: Payment) => cancelPayment(deps, tenant, { id })

describe('what is too little to be shared out or given back', () => {
  it('does not keep a payment from being canceled, before and after its price runs out, and is held', async () => {
    const payments = [await after('0.000001'), await after('0.009999')]
    const [waiting, underpaid] = payments
    if (!waiting || !underpaid) throw new Error('there are no payments')
    const canceled = await cancel(waiting)
    expect(canceled).toMatchObject({ status: 'error', dataError: { code: 'canceled' }, receivedAmount: '0.000001' })
    expect(await cancel(waiting)).toMatchObject({ sequence: canceled.sequence })
    await priceRunsOut()
    await pass()
    expect(await presentOf(harness, underpaid)).toMatchObject({ dataError: { code: 'underpaid' } })
    await cancel(underpaid)
    await pass(2)
    for (const payment of payments) {
      expect(await presentOf(harness, payment)).toMatchObject({ dataError: { code: 'canceled' } })
      expect(await alertsOn(payment)).toEqual([expect.objectContaining({ kind: 'deposit_unexpected' })])
    }
    const held = (await deps.ledger.balances(tenant.id)).find(({ account }) => account === 'deposits:polygon')
    expect(held).toMatchObject({ balance: '0.01', currency: 'USDC' })
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('binds its payment as soon as it is worth that', async () => {
    await expect(cancel(await after('0.01'))).rejects.toMatchObject({ code: 'payment_already_processed' })
  })
})
