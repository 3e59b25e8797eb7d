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

const world = await startPaymentsHarness()

it('a period whose receivers the processor cannot pay charges nobody, and counts as refused', async () => {
  const orderCode = subscriptionOrder(world)
  const { subscription } = await paySubscription(world, orderCode)
  const order = world.orders.get(orderCode)
  if (!order) throw new Error('there is no order')
  order.splitPaymentConfig = [{ receiverWallet: '0x1111111111111111111111111111111111111111', receiverPercent: 100 }]
  await goTo(world, subscription.nextPaymentAt)
  const [payment] = await periodPayments(world, subscription)
  if (!payment) throw new Error('the period has no payment')
  expect(payment.status).toBe('registered')
  expect(processorOrders(world, payment)).toBe(0)
  await goTo(world, (await subscriptionNow(world, subscription)).nextAttemptAt)
  expect(processorOrders(world, payment)).toBe(0)
  expect(await subscriptionNow(world, subscription)).toMatchObject({ status: 'past_due' })
  expect((await eventTypes(world, subscription)).at(-1)).toBe('past_due')
})
