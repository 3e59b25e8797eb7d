import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { cardPayment, payByCard } from '../fixtures/card-payments.js'
import { eventTypes, goTo, periodPayments } from '../fixtures/subscriptions.js'

const harness = await startPaymentsHarness()

describe('a subscription', () => {
  it('goes on without an order where its first payment brought the terms itself', async () => {
    const config = { planName: 'Gold', interval: 'weekly' as const, charge: true, retryCount: 0 }
    const own = { executorId: 'api_transaction', orderCode: null, gatewayMethod: 'subs' as const }
    const registered = await cardPayment(harness, { ...own, subscriptionConfig: config })
    harness.kyc.state = 'APPROVED'
    const payment = await payByCard(harness, registered)
    const [subscription] = await harness.deps.subscriptions.ofPayments(harness.tenant.id, [payment.id])
    if (!subscription) throw new Error('no subscription has begun')
    expect(subscription).toMatchObject({ status: 'active', orderCode: null, interval: 'weekly' })
    await goTo(harness, subscription.nextPaymentAt)
    const [periodic, ...others] = await periodPayments(harness, subscription)
    expect(others).toEqual([])
    expect(periodic).toMatchObject({
      ...own,
      status: 'success',
      amountFrom: payment.amountFrom,
      transactionType: 'cardfiat',
    })
    expect(periodic?.splitPaymentConfig).toEqual(payment.splitPaymentConfig)
    expect(await eventTypes(harness, subscription)).toEqual(['started', 'payment_registered', 'renewed'])
  })
})
