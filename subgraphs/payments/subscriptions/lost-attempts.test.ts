import { afterEach, describe, expect, it } from 'vitest'
import { loseJobs } from '../fixtures/rows.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../fixtures/subscriptions.js'
import type { Subscription } from '../store/subscription.entity.js'
import { resumeSubscriptions } from './resume-subscriptions.js'
import { CHARGE_SUBSCRIPTION } from './subscription-jobs.js'

const harness = await startSubscriptionHarness()
afterEach(() => harness.cardControl('/faults', { mode: 'ok' }))

const loseAttempts = ({ id }: Subscription) => loseJobs(harness, `${CHARGE_SUBSCRIPTION}:${id}:%`)
/** The attempts of a subscription that count as lost by now. */
const lostOf = async ({ id }: Subscription) =>
  (await harness.deps.subscriptions.findOverdueAttempts(harness.clock.now(), 1_000))
    .filter(({ subscriptionId }) => subscriptionId === id)
    .map(({ attempt }) => attempt)
const ordersOf = async (subscription: Subscription) =>
  (await harness.periodPayments(subscription)).map((payment) => harness.processorOrders(payment))

/** A subscription whose first period was refused once, and is to be tried again a day later. */
async function refusedOnce() {
  const subscribed = await harness.subscribe({ retryCount: 2 })
  const { subscription } = subscribed
  await harness.goRefused(subscribed)
  expect(await ordersOf(subscription)).toEqual([1])
  return subscription
}

describe('an attempt to charge whose job was lost', () => {
  it('is made once, an hour after it was due', async () => {
    const subscription = await refusedOnce()
    await loseAttempts(subscription)
    await harness.advance(DAY_SECONDS + 60)
    await resumeSubscriptions(harness.deps)
    await harness.runJobs()
    expect(await ordersOf(subscription)).toEqual([1])
    await harness.advance(3_600)
    for (let time = 0; time < 3; time += 1) {
      await resumeSubscriptions(harness.deps)
      await harness.runJobs()
    }
    expect(await ordersOf(subscription)).toEqual([2])
    expect(await harness.periodPayments(subscription)).toMatchObject([{ status: 'success' }])
    expect(await lostOf(subscription)).toEqual([])
  })

  it('is found where its job has used up its tries, and not while one waits', async () => {
    const subscription = await refusedOnce()
    await harness.advance(2 * DAY_SECONDS)
    expect(await lostOf(subscription)).toEqual([])
    await harness.query('update graphile_worker._private_jobs set attempts = max_attempts where key like $1', [
      `${CHARGE_SUBSCRIPTION}:${subscription.id}:%`,
    ])
    expect(await lostOf(subscription)).toEqual([2])
    await harness.cancel(subscription)
    expect(await lostOf(subscription)).toEqual([])
  })
})

describe('what was never to be charged, or is on its way', () => {
  it('counts as lost neither while its charge waits for an outcome, nor while its subscription is paused', async () => {
    const { subscription } = await harness.subscribe()
    await harness.cardControl('/faults', { mode: 'error' })
    await harness.goTo(subscription.nextPaymentAt)
    expect(await harness.periodPayments(subscription)).toMatchObject([{ status: 'pending' }])
    expect(await lostOf(subscription)).toEqual([])
    await harness.cardControl('/faults', { mode: 'ok' })
    await harness.advance(60)
    await harness.runJobs()
    await harness.pause(subscription)
    await harness.goTo((await harness.subscriptionNow(subscription)).nextAttemptAt)
    expect(await lostOf(subscription)).toEqual([])
    await harness.resume(subscription)
    await loseAttempts(subscription)
    await harness.advance(60)
    expect(await lostOf(subscription)).toEqual([2])
  })

  it('is not charged where its payer is asked to pay it himself, also after a break', async () => {
    const subscription = await harness.subscriptionDue({ charge: false })
    await harness.pause(subscription)
    await harness.resume(subscription)
    await harness.advance(DAY_SECONDS)
    await resumeSubscriptions(harness.deps)
    await harness.runJobs()
    expect(await lostOf(subscription)).toEqual([])
    expect(await ordersOf(subscription)).toEqual([0])
  })
})
