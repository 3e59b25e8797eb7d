import { afterEach, describe, expect, it } from 'vitest'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import {
  goTo,
  paySubscription,
  periodPayments,
  processorOrders,
  subscriptionNow,
  subscriptionOrder,
} from '../fixtures/subscriptions.js'
import { loseJobs } from '../fixtures/rows.js'
import { RENEW_SUBSCRIPTION } from './subscription-jobs.js'

const harness = await startPaymentsHarness()
afterEach(() => {
  Object.assign(harness.products, { isDisabled: false, creditCard: true })
})
const HOUR_SECONDS = 3_600

describe('a subscription whose tenant was disabled', () => {
  it('asks for nothing when the next payment is due, and goes on once the tenant is enabled again', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness))
    harness.products.isDisabled = true
    await goTo(harness, subscription.nextPaymentAt)
    expect(await periodPayments(harness, subscription)).toEqual([])
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'active', refusals: 0 })
    harness.products.isDisabled = false
    await harness.goOn(HOUR_SECONDS)
    expect(await periodPayments(harness, subscription)).toMatchObject([{ status: 'success' }])
  })
  it.each([
    ['is disabled', { isDisabled: true }],
    ['has lost the product', { creditCard: false }],
  ])('tries no refused charge again while its tenant %s, and counts nothing', async (_, lacks) => {
    const order = subscriptionOrder(harness, { retryCount: 2 })
    const { subscription } = await paySubscription(harness, order, CARDS.refusedOnFile)
    await goTo(harness, subscription.nextPaymentAt)
    const refused = await subscriptionNow(harness, subscription)
    const [payment] = await periodPayments(harness, subscription)
    if (!payment) throw new Error('no period was registered')
    expect([refused.refusals, processorOrders(harness, payment)]).toEqual([1, 1])
    Object.assign(harness.products, lacks)
    await goTo(harness, refused.nextAttemptAt)
    expect(processorOrders(harness, payment)).toBe(1)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'active', refusals: 1 })
    Object.assign(harness.products, { isDisabled: false, creditCard: true })
    await harness.goOn(HOUR_SECONDS)
    expect(processorOrders(harness, payment)).toBe(2)
  })

  it('does not stand among those that have lost their job, however long it rests', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness))
    harness.products.isDisabled = true
    await goTo(harness, subscription.nextPaymentAt)
    const overdue = async (): Promise<string[]> =>
      (await harness.deps.subscriptions.findOverdue(harness.clock.now(), 100)).map(({ id }) => id)
    expect(await overdue()).not.toContain(subscription.id)
    await loseJobs(harness, `${RENEW_SUBSCRIPTION}:${subscription.id}`)
    expect(await overdue()).toContain(subscription.id)
  })
})
