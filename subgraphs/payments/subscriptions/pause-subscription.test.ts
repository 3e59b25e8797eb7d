import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { payByCard } from '../fixtures/card-payments.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../fixtures/subscriptions.js'
import { loseJobs } from '../fixtures/rows.js'
import { chargePeriod } from './charge-period.js'
import { pauseSubscription } from './pause-subscription.js'
import { dueDate } from './periods.js'
import { renewSubscription } from './renew-subscription.js'
import { resumeSubscription } from './resume-subscription.js'

const harness = await startSubscriptionHarness()
const { pause, resume } = harness

describe('a paused subscription', () => {
  it('registers and charges nothing, and goes on from its anchor when it is resumed; both are repeatable', async () => {
    const { subscription } = await harness.subscribe()
    for (let time = 0; time < 2; time += 1) {
      expect(await pause(subscription)).toMatchObject({ status: 'paused', nextPaymentAt: null })
    }
    // A job that was planned before finds nothing to do.
    await harness.goOn(100 * DAY_SECONDS)
    await renewSubscription(harness.deps, { tenantId: subscription.tenantId, subscriptionId: subscription.id })
    expect(await harness.periodPayments(subscription)).toEqual([])
    const nextPaymentAt = dueDate(subscription.anchorAt, 'monthly', 4)
    await Promise.all(Array.from({ length: 5 }, () => resume(subscription)))
    const resumed = await harness.subscriptionNow(subscription)
    expect(resumed).toMatchObject({ status: 'active', skippedPeriods: 3, nextPaymentAt })
    await harness.runJobs()
    expect(await harness.periodPayments(subscription)).toEqual([])
    await harness.goTo(nextPaymentAt)
    expect((await harness.periodPayments(subscription)).map(({ status }) => status)).toEqual(['success'])
    expect(await harness.eventTypes(subscription)).toEqual([
      ...['started', 'paused', 'resumed', 'payment_registered', 'renewed'],
    ])
  })

  it('holds an attempt to charge that comes meanwhile, which is made once when it is resumed', async () => {
    const subscribed = await harness.subscribe({ retryCount: 3 })
    const { subscription } = subscribed
    await harness.goRefused(subscribed)
    const unpaid = await harness.lastPeriod(subscription)
    await pause(subscription)
    await harness.goOn(10 * DAY_SECONDS)
    expect(harness.processorOrders(unpaid)).toBe(1)
    await resume(subscription)
    await harness.runJobs()
    await harness.goOn(2 * DAY_SECONDS)
    expect(harness.processorOrders(unpaid)).toBe(2)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', nextAttemptAt: null })
    expect(await harness.eventTypes(subscription)).toEqual([
      ...['started', 'payment_registered', 'payment_failed', 'paused', 'resumed', 'renewed'],
    ])
  })

  it('makes an attempt that is due only after it was resumed at its own time', async () => {
    const subscription = await harness.subscriptionDue({}, CARDS.refusedOnFile)
    const unpaid = await harness.lastPeriod(subscription)
    await pause(subscription)
    await resume(subscription)
    await harness.runJobs()
    expect(harness.processorOrders(unpaid)).toBe(1)
    await harness.goTo((await harness.subscriptionNow(subscription)).nextAttemptAt)
    expect(harness.processorOrders(unpaid)).toBe(2)
  })

  it('stays paused when what was open is paid', async () => {
    const subscription = await harness.subscriptionDue({ charge: false })
    await pause(subscription)
    await payByCard(harness, await harness.lastPeriod(subscription))
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'paused', nextPaymentAt: null })
    expect(await resume(subscription)).toMatchObject({ status: 'active', skippedPeriods: 0 })
  })

  it('is past due again where it was, until that is paid', async () => {
    const subscription = await harness.subscriptionDue({ retryCount: 0 }, CARDS.refusedOnFile)
    await pause(subscription)
    expect(await resume(subscription)).toMatchObject({ status: 'past_due', nextPaymentAt: null })
    await payByCard(harness, await harness.lastPeriod(subscription))
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
  })

  it('ends when it is canceled, and goes on in no way then', async () => {
    const { subscription } = await harness.subscribe()
    await pause(subscription)
    await harness.cancel(subscription)
    await expect(resume(subscription)).rejects.toMatchObject({ code: 'subscription_canceled' })
    await expect(pause(subscription)).rejects.toMatchObject({ code: 'subscription_canceled' })
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'paused', 'canceled'])
  })

  it('is its own tenant’s to pause and to resume', async () => {
    const { subscription } = await harness.subscribe()
    const other = { ...harness.tenant, id: 'another' }
    for (const act of [pauseSubscription, resumeSubscription]) {
      const refused = act(harness.deps, other, { id: subscription.id })
      await expect(refused).rejects.toMatchObject({ code: 'subscription_not_found' })
    }
  })
})

describe('an attempt to charge', () => {
  it('is not lost where its subscription is resumed between its look and its hold', async () => {
    const subscribed = await harness.subscribe({ retryCount: 3 })
    const { subscription } = subscribed
    await harness.goRefused(subscribed)
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
    expect(harness.processorOrders(await harness.lastPeriod(subscription))).toBe(2)
    expect(await harness.eventTypes(subscription)).toContain('renewed')
  })

  it.each(['pause', 'cancel'] as const)('is not made where its subscription is told to %s meanwhile', async (act) => {
    const subscribed = await harness.subscribe({ retryCount: 3 })
    const { subscription } = subscribed
    await harness.goRefused(subscribed)
    const unpaid = await harness.lastPeriod(subscription)
    await harness.advance(2 * DAY_SECONDS)
    await loseJobs(harness, 'charge-subscription:%')
    const { tenantId, id: subscriptionId } = subscription
    const job = { tenantId, subscriptionId, period: 1, attempt: 2 }
    const productsOf: typeof harness.deps.productsOf = async (id) => {
      await harness[act](subscription)
      return harness.deps.productsOf(id)
    }
    const charged = chargePeriod({ ...harness.deps, productsOf }, job)
    await expect(charged).rejects.toMatchObject({ code: 'payment_already_processed' })
    // It comes again, as what throws does, and rests.
    await chargePeriod(harness.deps, job)
    await harness.runJobs()
    expect(harness.processorOrders(unpaid)).toBe(1)
    expect(await harness.deps.payments.find(tenantId, unpaid.id)).toMatchObject({ sequence: unpaid.sequence })
    const { held } = (await harness.deps.subscriptions.findPeriod(tenantId, subscriptionId, 1)) ?? {}
    expect(held).toBe(act === 'pause')
    if (act !== 'pause') return
    await resume(subscription)
    await harness.runJobs()
    expect(harness.processorOrders(unpaid)).toBe(2)
  })
})
