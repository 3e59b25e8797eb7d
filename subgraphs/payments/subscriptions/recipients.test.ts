import { expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import {
  eventTypes,
  goTo,
  paySubscription,
  periodPayments,
  processorOrders,
  subscriptionNow,
  subscriptionOrder,
} from '../fixtures/subscriptions.js'

const harness = await startPaymentsHarness()

it('a period whose receivers the processor cannot pay charges nobody, and counts as refused', async () => {
  const orderCode = subscriptionOrder(harness)
  const { subscription } = await paySubscription(harness, orderCode)
  const order = harness.orders.get(orderCode)
  if (!order) throw new Error('there is no order')
  order.splitPaymentConfig = [{ receiverWallet: '0x1111111111111111111111111111111111111111', receiverPercent: 100 }]
  await goTo(harness, subscription.nextPaymentAt)
  const [payment] = await periodPayments(harness, subscription)
  if (!payment) throw new Error('the period has no payment')
  expect(payment.status).toBe('registered')
  expect(processorOrders(harness, payment)).toBe(0)
  await goTo(harness, (await subscriptionNow(harness, subscription)).nextAttemptAt)
  expect(processorOrders(harness, payment)).toBe(0)
  expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'past_due' })
  expect((await eventTypes(harness, subscription)).at(-1)).toBe('past_due')
})
