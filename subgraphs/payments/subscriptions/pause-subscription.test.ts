import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { payByCard } from '../fixtures/card-payments.js'
import {
  cardIdOf,
  DAY_SECONDS,
  eventTypes,
  goTo,
  paySubscription,
  periodPayments,
  processorOrders,
  subscriptionNow,
  subscriptionOrder,
} from '../fixtures/subscriptions.js'
import { loseJobs } from '../fixtures/rows.js'
import type { Subscription } from '../store/subscription.entity.js'
import { cancelSubscription } from './cancel-subscription.js'
import { chargePeriod } from './charge-period.js'
import { pauseSubscription } from './pause-subscription.js'
import { dueDate } from './periods.js'
import { renewSubscription } from './renew-subscription.js'
import { resumeSubscription } from './resume-subscription.js'

const harness = await startPaymentsHarness()

const pause = ({ id }: { id: string }) => pauseSubscription(harness.deps, harness.tenant, { id })
const resume = ({ id }: { id: string }) => resumeSubscription(harness.deps, harness.tenant, { id })

async function unpaidOf(subscription: Subscription) {
  const [payment] = await periodPayments(harness, subscription)
  if (!payment) throw new Error('no payment was registered')
  return payment
}

describe('a paused subscription', () => {
  it('registers and charges nothing, and goes on from its anchor when it is resumed; both are repeatable', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness))
    for (let time = 0; time < 2; time += 1) {
      expect(await pause(subscription)).toMatchObject({ status: 'paused', nextPaymentAt: null })
    }
    // A job that was planned before finds nothing to do.
    await harness.goOn(100 * DAY_SECONDS)
    await renewSubscription(harness.deps, { tenantId: subscription.tenantId, subscriptionId: subscription.id })
    expect(await periodPayments(harness, subscription)).toEqual([])
    const nextPaymentAt = dueDate(subscription.anchorAt, 'monthly', 4)
    await Promise.all(Array.from({ length: 5 }, () => resume(subscription)))
    const resumed = await subscriptionNow(harness, subscription)
    expect(resumed).toMatchObject({ status: 'active', skippedPeriods: 3, nextPaymentAt })
    await harness.runJobs()
    expect(await periodPayments(harness, subscription)).toEqual([])
    await goTo(harness, nextPaymentAt)
    expect((await periodPayments(harness, subscription)).map(({ status }) => status)).toEqual(['success'])
    expect(await eventTypes(harness, subscription)).toEqual([
      ...['started', 'paused', 'resumed', 'payment_registered', 'renewed'],
    ])
  })

  it('holds an attempt to charge that comes meanwhile, which is made once when it is resumed', async () => {
    const { payment, subscription } = await paySubscription(harness, subscriptionOrder(harness, { retryCount: 3 }))
    const cardId = await cardIdOf(harness, payment)
    await harness.cardControl(`/cards/${cardId}/refuse`)
    await goTo(harness, subscription.nextPaymentAt)
    await harness.cardControl(`/cards/${cardId}/accept`)
    const unpaid = await unpaidOf(subscription)
    await pause(subscription)
    await harness.goOn(10 * DAY_SECONDS)
    expect(processorOrders(harness, unpaid)).toBe(1)
    await resume(subscription)
    await harness.runJobs()
    await harness.goOn(2 * DAY_SECONDS)
    expect(processorOrders(harness, unpaid)).toBe(2)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'active', nextAttemptAt: null })
    expect(await eventTypes(harness, subscription)).toEqual([
      ...['started', 'payment_registered', 'payment_failed', 'paused', 'resumed', 'renewed'],
    ])
  })

  it('makes an attempt that is due only after it was resumed at its own time', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness), CARDS.refusedOnFile)
    await goTo(harness, subscription.nextPaymentAt)
    const unpaid = await unpaidOf(subscription)
    await pause(subscription)
    await resume(subscription)
    await harness.runJobs()
    expect(processorOrders(harness, unpaid)).toBe(1)
    await goTo(harness, (await subscriptionNow(harness, subscription)).nextAttemptAt)
    expect(processorOrders(harness, unpaid)).toBe(2)
  })

  it('stays paused when what was open is paid', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness, { charge: false }))
    await goTo(harness, subscription.nextPaymentAt)
    await pause(subscription)
    await payByCard(harness, await unpaidOf(subscription))
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'paused', nextPaymentAt: null })
    expect(await resume(subscription)).toMatchObject({ status: 'active', skippedPeriods: 0 })
  })

  it('is past due again where it was, until that is paid', async () => {
    const order = subscriptionOrder(harness, { retryCount: 0 })
    const { subscription } = await paySubscription(harness, order, CARDS.refusedOnFile)
    await goTo(harness, subscription.nextPaymentAt)
    await pause(subscription)
    expect(await resume(subscription)).toMatchObject({ status: 'past_due', nextPaymentAt: null })
    await payByCard(harness, await unpaidOf(subscription))
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'active' })
  })

  it('ends when it is canceled, and goes on in no way then', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness))
    await pause(subscription)
    await cancelSubscription(harness.deps, harness.tenant, { id: subscription.id })
    await expect(resume(subscription)).rejects.toMatchObject({ code: 'subscription_canceled' })
    await expect(pause(subscription)).rejects.toMatchObject({ code: 'subscription_canceled' })
    expect(await eventTypes(harness, subscription)).toEqual(['started', 'paused', 'canceled'])
  })

  it('is its own tenant’s to pause and to resume', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness))
    const other = { ...harness.tenant, id: 'another' }
    for (const act of [pauseSubscription, resumeSubscription]) {
      const refused = act(harness.deps, other, { id: subscription.id })
      await expect(refused).rejects.toMatchObject({ code: 'subscription_not_found' })
    }
  })
})

describe('an attempt to charge', () => {
  it('is not lost where its subscription is resumed between its look and its hold', async () => {
    const { payment, subscription } = await paySubscription(harness, subscriptionOrder(harness, { retryCount: 3 }))
    const cardId = await cardIdOf(harness, payment)
    await harness.cardControl(`/cards/${cardId}/refuse`)
    await goTo(harness, subscription.nextPaymentAt)
    await harness.cardControl(`/cards/${cardId}/accept`)
    const { tenantId, id: subscriptionId } = subscription
    await pause(subscription)
    await harness.advance(2 * DAY_SECONDS)
    await loseJobs(harness, 'charge-subscription:%')
    const { subscriptions } = harness.deps
    const find: typeof subscriptions.find = async (...key) => {
      const found = await subscriptions.find(...key)
      if (found?.status === 'paused') await resume(subscription)
      return found
    }
    const job = { tenantId, subscriptionId, period: 1, attempt: 2 }
    await chargePeriod({ ...harness.deps, subscriptions: { ...subscriptions, find } }, job)
    await harness.runJobs()
    expect(processorOrders(harness, await unpaidOf(subscription))).toBe(2)
    expect(await eventTypes(harness, subscription)).toContain('renewed')
  })
})
