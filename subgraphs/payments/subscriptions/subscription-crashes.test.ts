import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { randomOf } from '../../../chaos/random.js'
import { crashingDeps, plansAt, runMortal, type CrashPlan } from '../fixtures/crashing-deps.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../fixtures/subscriptions.js'
import type { Subscription } from '../store/subscription.entity.js'
import { chargePeriod } from './charge-period.js'
import { renewSubscription } from './renew-subscription.js'

const SEED = 1_702
const SUBSCRIPTIONS = 15
const DEATHS = 120
/** In the order in which the first due date and the first charge come to them. */
const PAINFUL_STEPS = [
  'subscriptions.change',
  'payments.add',
  'subscriptions.record',
  'payments.change',
  'adapter.create',
]

const harness = await startSubscriptionHarness()

/** The first deaths are where it hurts, before and after it; the others anywhere. */
function planOf(death: number, random: () => number): CrashPlan {
  const painful = plansAt(...PAINFUL_STEPS)[death]
  return painful ?? { atStep: Math.floor(random() * 7), side: random() < 0.5 ? 'before' : 'after' }
}

/** Works off what is due in processes that die as planned, until as many have died or nothing is left. */
async function dieALot(died: Set<string>, deaths: number, next: (death: number) => CrashPlan): Promise<void> {
  for (let death = 0; death < deaths; death += 1) {
    const message = await runMortal(harness, crashingDeps(harness.deps, next(death)).deps)
    if (message === undefined) return
    died.add(message)
  }
}

describe('subscriptions whose processes die', { timeout: 240_000 }, () => {
  it('have one payment for a period, charged once, and refused as often as their order says', async () => {
    const random = randomOf(SEED)
    const died = new Set<string>()
    const good: Subscription[] = []
    const bad: Subscription[] = []
    for (let index = 0; index < SUBSCRIPTIONS; index += 1) {
      const isBad = index % 3 === 0
      const { subscription } = await harness.subscribe(
        { interval: 'yearly', retryCount: 1 },
        isBad ? CARDS.refusedOnFile : CARDS.paid,
      )
      ;(isBad ? bad : good).push(subscription)
    }
    // What is left of the first payments is no matter of this: from here on only due dates are to come.
    await harness.goOn(60)
    await harness.advance(366 * DAY_SECONDS)
    await dieALot(died, DEATHS, (death) => planOf(death, random))
    // From here on they die now and then, while time goes on: watches, hourly and daily tries.
    for (let hour = 0; hour < 36; hour += 1) {
      await harness.advance(3_605)
      if (hour % 3 === 0) await dieALot(died, 6, () => planOf(DEATHS, random))
      await harness.runJobs()
    }
    for (const subscription of good) {
      const payments = await harness.periodPayments(subscription)
      expect(payments.map(({ status }) => status)).toEqual(['success'])
      for (const payment of payments) expect(harness.processorOrders(payment)).toBe(1)
      const types = (await harness.eventTypes(subscription)).filter((type) => type !== 'payment_failed')
      expect(types).toEqual(['started', 'payment_registered', 'renewed'])
    }
    for (const subscription of bad) {
      const [payment, ...others] = await harness.periodPayments(subscription)
      expect([payment?.status, others]).toEqual(['reproved', []])
      expect(payment && harness.processorOrders(payment)).toBe(2)
      expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', refusals: 2 })
      expect((await harness.eventTypes(subscription)).filter((type) => type === 'past_due')).toHaveLength(1)
    }
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    expect(PAINFUL_STEPS.filter((step) => !died.has(`before ${step}`) || !died.has(`after ${step}`))).toEqual([])
  })
})

describe('workers on the same subscription', () => {
  it('register one payment for a due date, and charge it once', async () => {
    const { subscription } = await harness.subscribe()
    const { tenantId, id: subscriptionId } = subscription
    await harness.advance(31 * DAY_SECONDS + 60)
    const workers = Array.from({ length: 5 })
    await Promise.all(workers.map(() => renewSubscription(harness.deps, { tenantId, subscriptionId })))
    const [payment, ...others] = await harness.periodPayments(subscription)
    expect([payment?.status, others]).toEqual(['registered', []])
    const job = { tenantId, subscriptionId, period: 1, attempt: 1 }
    await Promise.all(workers.map(() => chargePeriod(harness.deps, job)))
    await harness.runJobs()
    expect(payment && harness.processorOrders(payment)).toBe(1)
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered', 'renewed'])
  })

  it('do not charge again what another was refused for between look and charge', async () => {
    const { subscription } = await harness.subscribe({}, CARDS.refusedOnFile)
    const { tenantId, id: subscriptionId } = subscription
    await harness.advance(31 * DAY_SECONDS + 60)
    await renewSubscription(harness.deps, { tenantId, subscriptionId })
    const job = { tenantId, subscriptionId, period: 1, attempt: 1 }
    const { charges } = harness.deps
    let isFirst = true
    const find: typeof charges.find = async (...key) => {
      if (isFirst) {
        isFirst = false
        await chargePeriod(harness.deps, job)
      }
      return charges.find(...key)
    }
    await chargePeriod({ ...harness.deps, charges: { ...charges, find } }, job)
    expect(isFirst).toBe(false)
    const payment = await harness.lastPeriod(subscription)
    expect(harness.processorOrders(payment)).toBe(1)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ refusals: 1, status: 'active' })
  })

  it('do not try a refused charge again for a job that comes twice', async () => {
    const { subscription } = await harness.subscribe({}, CARDS.refusedOnFile)
    const { tenantId, id: subscriptionId } = subscription
    await harness.goOn(31 * DAY_SECONDS + 60)
    await chargePeriod(harness.deps, { tenantId, subscriptionId, period: 1, attempt: 1 })
    const payment = await harness.lastPeriod(subscription)
    expect(harness.processorOrders(payment)).toBe(1)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ refusals: 1, status: 'active' })
  })
})
