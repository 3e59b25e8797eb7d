import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { payByCard } from '../fixtures/card-payments.js'
import {
  DAY_SECONDS,
  eventTypes,
  goTo,
  paySubscription,
  periodPayments,
  subscriptionNow,
  subscriptionOrder,
} from '../fixtures/subscriptions.js'
import type { Subscription } from '../store/subscription.entity.js'
import { cancelSubscription } from './cancel-subscription.js'
import { changeSubscriptionPlan, type ChangeSubscriptionPlanInput } from './change-subscription-plan.js'
import { pauseSubscription } from './pause-subscription.js'
import { dueDate } from './periods.js'
import { resumeSubscription } from './resume-subscription.js'

const harness = await startPaymentsHarness()

const change = ({ id }: { id: string }, input: Omit<ChangeSubscriptionPlanInput, 'id'>) =>
  changeSubscriptionPlan(harness.deps, harness.tenant, { id, ...input })

/** What has become of the periods' payments, oldest first. */
const periods = async (subscription: Subscription): Promise<string[]> =>
  (await periodPayments(harness, subscription)).map(({ amountFrom, status }) => `${amountFrom} ${status}`)

describe('a changed plan', () => {
  it('costs less from the next period on, which is charged as before', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness))
    await goTo(harness, subscription.nextPaymentAt)
    for (let time = 0; time < 2; time += 1) {
      const changed = await change(subscription, { amountFrom: '80', planName: 'Silver' })
      expect(changed).toMatchObject({ amountFrom: '80', planName: 'Silver', consentFrom: null })
    }
    await goTo(harness, (await subscriptionNow(harness, subscription)).nextPaymentAt)
    expect(await periods(subscription)).toEqual(['100 success', '80 success'])
    expect(await eventTypes(harness, subscription)).toEqual([
      ...['started', 'payment_registered', 'renewed', 'changed', 'payment_registered', 'renewed'],
    ])
    // What was told before is told as it was.
    const { subscriptions } = harness.deps
    const [before, after] = await Promise.all([3, 4].map((at) => subscriptions.findAt('tenant', subscription.id, at)))
    expect(before).toMatchObject({ planName: 'Gold', amountFrom: null })
    expect(after).toMatchObject({ planName: 'Silver', amountFrom: '80' })
  })

  it('that costs more is not charged before its payer has paid it himself once', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness))
    await change(subscription, { amountFrom: '120.50' })
    await goTo(harness, subscription.nextPaymentAt)
    expect(await periods(subscription)).toEqual(['120.50 registered'])
    await goTo(harness, (await subscriptionNow(harness, subscription)).nextPaymentAt)
    expect(await periods(subscription)).toEqual(['120.50 registered', '120.50 registered'])
    const [, latest] = await periodPayments(harness, subscription)
    if (!latest) throw new Error('no payment was registered')
    await payByCard(harness, latest)
    await goTo(harness, (await subscriptionNow(harness, subscription)).nextPaymentAt)
    expect(await periods(subscription)).toEqual(['120.50 registered', '120.50 success', '120.50 success'])
  })

  it('is not agreed to by paying what was due before it', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness, { charge: false }))
    await goTo(harness, subscription.nextPaymentAt)
    await harness.query('update payments.subscription set charge = true where id = $1', [subscription.id])
    await change(subscription, { amountFrom: '200' })
    const [before] = await periodPayments(harness, subscription)
    if (!before) throw new Error('no payment was registered')
    await payByCard(harness, before)
    await goTo(harness, (await subscriptionNow(harness, subscription)).nextPaymentAt)
    expect(await periods(subscription)).toEqual(['100 success', '200 registered'])
  })

  it('that comes more often is counted from the next due date, and not charged unasked', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness))
    const { nextPaymentAt } = subscription
    if (!nextPaymentAt) throw new Error('nothing is due')
    const changed = await change(subscription, { interval: 'weekly' })
    expect(changed).toMatchObject({ interval: 'weekly', nextPaymentAt })
    await goTo(harness, nextPaymentAt)
    const registered = await subscriptionNow(harness, subscription)
    expect(registered).toMatchObject({ dueAt: nextPaymentAt, nextPaymentAt: dueDate(nextPaymentAt, 'weekly', 1) })
    await harness.goOn(21 * DAY_SECONDS)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({
      dueAt: dueDate(nextPaymentAt, 'weekly', 3),
      skippedPeriods: 2,
    })
    expect(await periods(subscription)).toEqual(['100 registered', '100 registered'])
  })

  it('that comes less often is charged as before, also where it was changed while paused', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness, { interval: 'weekly' }))
    const { nextPaymentAt } = subscription
    if (!nextPaymentAt) throw new Error('nothing is due')
    await pauseSubscription(harness.deps, harness.tenant, { id: subscription.id })
    await change(subscription, { interval: 'monthly' })
    await harness.goOn(10 * DAY_SECONDS)
    const resumed = await resumeSubscription(harness.deps, harness.tenant, { id: subscription.id })
    expect(resumed).toMatchObject({ skippedPeriods: 1, nextPaymentAt: dueDate(nextPaymentAt, 'monthly', 1) })
    await goTo(harness, resumed.nextPaymentAt)
    expect(await periods(subscription)).toEqual(['100 success'])
  })

  it.each([
    ['nothing', {}, { code: 'no_fields_to_update' }],
    [
      'no amount',
      { amountFrom: '0' },
      { code: 'validation_error', errors: [expect.objectContaining({ field: 'amountFrom' })] },
    ],
    [
      'too many decimals',
      { amountFrom: '1.001' },
      { code: 'validation_error', errors: [expect.objectContaining({ field: 'amountFrom' })] },
    ],
    [
      'no name',
      { planName: ' ' },
      { code: 'validation_error', errors: [expect.objectContaining({ field: 'planName' })] },
    ],
  ])('is refused with %s, and nothing is written', async (_what, input, refusal) => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness))
    await expect(change(subscription, input)).rejects.toMatchObject(refusal)
    expect(await eventTypes(harness, subscription)).toEqual(['started'])
  })

  it('is its own tenant’s to change, until it has ended', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness))
    const input = { id: subscription.id, amountFrom: '1' }
    const refused = changeSubscriptionPlan(harness.deps, { ...harness.tenant, id: 'another' }, input)
    await expect(refused).rejects.toMatchObject({ code: 'subscription_not_found' })
    await cancelSubscription(harness.deps, harness.tenant, { id: subscription.id })
    await expect(change(subscription, { amountFrom: '1' })).rejects.toMatchObject({ code: 'subscription_canceled' })
  })
})
