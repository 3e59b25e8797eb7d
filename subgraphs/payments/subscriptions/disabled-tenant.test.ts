import { afterEach, describe, expect, it } from 'vitest'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { startSubscriptionHarness } from '../fixtures/subscriptions.js'
import { loseJobs } from '../fixtures/rows.js'
import { RENEW_SUBSCRIPTION } from './subscription-jobs.js'

const harness = await startSubscriptionHarness()
afterEach(() => {
  Object.assign(harness.products, { isDisabled: false, creditCard: true })
})
const HOUR_SECONDS = 3_600

describe('a subscription whose tenant was disabled', () => {
  it('asks for nothing when the next payment is due, and goes on once the tenant is enabled again', async () => {
    const { subscription } = await harness.subscribe()
    harness.products.isDisabled = true
    await harness.goTo(subscription.nextPaymentAt)
    expect(await harness.periodPayments(subscription)).toEqual([])
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', refusals: 0 })
    harness.products.isDisabled = false
    await harness.goOn(HOUR_SECONDS)
    expect(await harness.periodPayments(subscription)).toMatchObject([{ status: 'success' }])
  })
  it.each([
    ['is disabled', { isDisabled: true }],
    ['has lost the product', { creditCard: false }],
  ])('tries no refused charge again while its tenant %s, and counts nothing', async (_, lacks) => {
    const subscription = await harness.subscriptionDue({ retryCount: 2 }, CARDS.refusedOnFile)
    const refused = await harness.subscriptionNow(subscription)
    const payment = await harness.lastPeriod(subscription)
    expect([refused.refusals, harness.processorOrders(payment)]).toEqual([1, 1])
    Object.assign(harness.products, lacks)
    await harness.goTo(refused.nextAttemptAt)
    expect(harness.processorOrders(payment)).toBe(1)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', refusals: 1 })
    Object.assign(harness.products, { isDisabled: false, creditCard: true })
    await harness.goOn(HOUR_SECONDS)
    expect(harness.processorOrders(payment)).toBe(2)
  })

  it('does not stand among those that have lost their job, however long it rests', async () => {
    const { subscription } = await harness.subscribe()
    harness.products.isDisabled = true
    await harness.goTo(subscription.nextPaymentAt)
    const overdue = async (): Promise<string[]> =>
      (await harness.deps.subscriptions.findOverdue(harness.clock.now(), 100)).map(({ id }) => id)
    expect(await overdue()).not.toContain(subscription.id)
    await loseJobs(harness, `${RENEW_SUBSCRIPTION}:${subscription.id}`)
    expect(await overdue()).toContain(subscription.id)
  })
})
