import { expect, it } from 'vitest'
import { startSubscriptionHarness } from '../fixtures/subscriptions.js'

const harness = await startSubscriptionHarness()

it('a period whose receivers the processor cannot pay charges nobody, and counts as refused', async () => {
  const { subscription } = await harness.subscribe()
  const splitPaymentConfig = [{ receiverWallet: '0x1111111111111111111111111111111111111111', receiverPercent: 100 }]
  harness.changeOrder(subscription, { splitPaymentConfig })
  await harness.goTo(subscription.nextPaymentAt)
  const payment = await harness.lastPeriod(subscription)
  expect(payment.status).toBe('registered')
  expect(harness.processorOrders(payment)).toBe(0)
  await harness.goTo((await harness.subscriptionNow(subscription)).nextAttemptAt)
  expect(harness.processorOrders(payment)).toBe(0)
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due' })
  expect((await harness.eventTypes(subscription)).at(-1)).toBe('past_due')
})
