import { describe, expect, it } from 'vitest'
import { cardPayment, payByCard } from '../fixtures/card-payments.js'
import { startSubscriptionHarness } from '../fixtures/subscriptions.js'

const harness = await startSubscriptionHarness()

describe('a subscription', () => {
  it('goes on without an order where its first payment brought the terms itself', async () => {
    const config = { planName: 'Gold', interval: 'weekly' as const, charge: true, retryCount: 0 }
    const own = { executorId: 'api_transaction', orderCode: null, gatewayMethod: 'subs' as const }
    const registered = await cardPayment(harness, { ...own, subscriptionConfig: config })
    harness.kyc.state = 'APPROVED'
    const payment = await payByCard(harness, registered)
    const subscription = await harness.subscriptionOf(payment)
    expect(subscription).toMatchObject({ status: 'active', orderCode: null, interval: 'weekly' })
    await harness.goTo(subscription.nextPaymentAt)
    const [periodic, ...others] = await harness.periodPayments(subscription)
    expect(others).toEqual([])
    expect(periodic).toMatchObject({
      ...own,
      status: 'success',
      amountFrom: payment.amountFrom,
      transactionType: 'cardfiat',
    })
    expect(periodic?.splitPaymentConfig).toEqual(payment.splitPaymentConfig)
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered', 'renewed'])
  })
})
