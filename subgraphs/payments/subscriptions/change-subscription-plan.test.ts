import { describe, expect, it } from 'vitest'
import { payByCard } from '../fixtures/card-payments.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../fixtures/subscriptions.js'
import type { Subscription } from '../store/subscription.entity.js'
import { changeSubscriptionPlan, type ChangeSubscriptionPlanInput } from './change-subscription-plan.js'
import { dueDate } from './periods.js'

const harness = await startSubscriptionHarness()

const change = ({ id }: { id: string }, input: Omit<ChangeSubscriptionPlanInput, 'id'>) =>
  changeSubscriptionPlan(harness.deps, harness.tenant, { id, ...input })

/** What has become of the periods' payments, oldest first. */
const periods = async (subscription: Subscription): Promise<string[]> =>
  (await harness.periodPayments(subscription)).map(({ amountFrom, status }) => `${amountFrom} ${status}`)

describe('a changed plan', () => {
  it('costs less from the next period on, which is charged as before', async () => {
    const subscription = await harness.subscriptionDue()
    for (let time = 0; time < 2; time += 1) {
      const changed = await change(subscription, { amountFrom: '80', planName: 'Silver' })
      expect(changed).toMatchObject({ amountFrom: '80', planName: 'Silver', consentFrom: null })
    }
    await harness.goTo((await harness.subscriptionNow(subscription)).nextPaymentAt)
    expect(await periods(subscription)).toEqual(['100 success', '80 success'])
    expect(await harness.eventTypes(subscription)).toEqual([
      ...['started', 'payment_registered', 'renewed', 'changed', 'payment_registered', 'renewed'],
    ])
    // What was told before is told as it was.
    const { subscriptions } = harness.deps
    const [before, after] = await Promise.all([3, 4].map((at) => subscriptions.findAt('tenant', subscription.id, at)))
    expect(before).toMatchObject({ planName: 'Gold', amountFrom: null })
    expect(after).toMatchObject({ planName: 'Silver', amountFrom: '80' })
  })

  it('that costs more is not charged before its payer has paid it himself once', async () => {
    const { subscription } = await harness.subscribe()
    await change(subscription, { amountFrom: '120.50' })
    await harness.goTo(subscription.nextPaymentAt)
    expect(await periods(subscription)).toEqual(['120.50 registered'])
    await harness.goTo((await harness.subscriptionNow(subscription)).nextPaymentAt)
    expect(await periods(subscription)).toEqual(['120.50 registered', '120.50 registered'])
    await payByCard(harness, await harness.lastPeriod(subscription))
    await harness.goTo((await harness.subscriptionNow(subscription)).nextPaymentAt)
    expect(await periods(subscription)).toEqual(['120.50 registered', '120.50 success', '120.50 success'])
  })

  it.each([
    ['its price is put back', [{ amountFrom: '1000' }, { amountFrom: '100' }]],
    ['its price is put below', [{ amountFrom: '1000' }, { amountFrom: '500' }, { amountFrom: '80' }]],
    ['its rhythm is put back', [{ interval: 'weekly' }, { interval: 'monthly' }]],
    [
      'both are put back one by one',
      [{ amountFrom: '1000', interval: 'weekly' }, { amountFrom: '100' }, { interval: 'monthly' }],
    ],
  ] as const)('is charged where %s before its payer has paid it', async (_what, changes) => {
    const { subscription } = await harness.subscribe()
    for (const input of changes) {
      expect((await harness.subscriptionNow(subscription)).consentFrom === null).toBe(input === changes[0])
      await change(subscription, input)
    }
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ consentFrom: null, agreedAmountFrom: null })
    await harness.goTo(subscription.nextPaymentAt)
    expect(await periods(subscription)).toEqual([
      `${(changes.at(-1) as { amountFrom?: string }).amountFrom ?? '100'} success`,
    ])
  })

  it('is not charged where it is put back in part, nor raised from there', async () => {
    const { subscription } = await harness.subscribe()
    for (const amountFrom of ['1000', '500']) await change(subscription, { amountFrom })
    await change(subscription, { planName: 'Platinum' })
    await harness.goTo(subscription.nextPaymentAt)
    await change(subscription, { amountFrom: '700' })
    await harness.goTo((await harness.subscriptionNow(subscription)).nextPaymentAt)
    expect(await periods(subscription)).toEqual(['500 registered', '700 registered'])
  })

  it('is charged at what its payer has paid of it, also where it was raised once more before', async () => {
    const { subscription } = await harness.subscribe()
    await change(subscription, { amountFrom: '200' })
    await harness.goTo(subscription.nextPaymentAt)
    await change(subscription, { amountFrom: '300' })
    await payByCard(harness, await harness.lastPeriod(subscription))
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ consentFrom: 2, agreedAmountFrom: '200' })
    await change(subscription, { amountFrom: '200' })
    await harness.goTo((await harness.subscriptionNow(subscription)).nextPaymentAt)
    expect(await periods(subscription)).toEqual(['200 success', '200 success'])
  })

  it('is charged once its payer has paid the terms to which it was put back meanwhile', async () => {
    const { subscription } = await harness.subscribe()
    await change(subscription, { amountFrom: '200' })
    await harness.goTo(subscription.nextPaymentAt)
    for (const amountFrom of ['300', '200']) await change(subscription, { amountFrom })
    await payByCard(harness, await harness.lastPeriod(subscription))
    await harness.goTo((await harness.subscriptionNow(subscription)).nextPaymentAt)
    expect(await periods(subscription)).toEqual(['200 success', '200 success'])
  })

  it('is not agreed to by paying what was due before it', async () => {
    const subscription = await harness.subscriptionDue({ charge: false })
    await harness.query('update payments.subscription set charge = true where id = $1', [subscription.id])
    await change(subscription, { amountFrom: '200' })
    const before = await harness.lastPeriod(subscription)
    await payByCard(harness, before)
    await harness.goTo((await harness.subscriptionNow(subscription)).nextPaymentAt)
    expect(await periods(subscription)).toEqual(['100 success', '200 registered'])
  })

  it('that comes more often is counted from the next due date, and not charged unasked', async () => {
    const { subscription } = await harness.subscribe()
    const { nextPaymentAt } = subscription
    if (!nextPaymentAt) throw new Error('nothing is due')
    const changed = await change(subscription, { interval: 'weekly' })
    expect(changed).toMatchObject({ interval: 'weekly', nextPaymentAt })
    await harness.goTo(nextPaymentAt)
    const registered = await harness.subscriptionNow(subscription)
    expect(registered).toMatchObject({ dueAt: nextPaymentAt, nextPaymentAt: dueDate(nextPaymentAt, 'weekly', 1) })
    await harness.goOn(21 * DAY_SECONDS)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({
      dueAt: dueDate(nextPaymentAt, 'weekly', 3),
      skippedPeriods: 2,
    })
    expect(await periods(subscription)).toEqual(['100 registered', '100 registered'])
  })

  it('that comes less often is charged as before, also where it was changed while paused', async () => {
    const { subscription } = await harness.subscribe({ interval: 'weekly' })
    const { nextPaymentAt } = subscription
    if (!nextPaymentAt) throw new Error('nothing is due')
    await harness.pause(subscription)
    await change(subscription, { interval: 'monthly' })
    await harness.goOn(10 * DAY_SECONDS)
    const resumed = await harness.resume(subscription)
    expect(resumed).toMatchObject({ skippedPeriods: 1, nextPaymentAt: dueDate(nextPaymentAt, 'monthly', 1) })
    await harness.goTo(resumed.nextPaymentAt)
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
      'more than there is money',
      { amountFrom: '1000000000000000' },
      { code: 'validation_error', errors: [expect.objectContaining({ field: 'amountFrom' })] },
    ],
    [
      'a name that is too long',
      { planName: 'x'.repeat(201) },
      { code: 'validation_error', errors: [expect.objectContaining({ field: 'planName' })] },
    ],
    [
      'no name',
      { planName: ' ' },
      { code: 'validation_error', errors: [expect.objectContaining({ field: 'planName' })] },
    ],
  ])('is refused with %s, and nothing is written', async (_what, input, refusal) => {
    const { subscription } = await harness.subscribe()
    await expect(change(subscription, input)).rejects.toMatchObject(refusal)
    expect(await harness.eventTypes(subscription)).toEqual(['started'])
  })

  it('may keep a name that is longer than new ones are, also where it is sent', async () => {
    const { subscription } = await harness.subscribe()
    const planName = 'x'.repeat(201)
    await harness.query('update payments.subscription set plan_name = $2 where id = $1', [subscription.id, planName])
    expect(await change(subscription, { planName, amountFrom: '80' })).toMatchObject({ planName, amountFrom: '80' })
  })

  it('is its own tenant’s to change, until it has ended', async () => {
    const { subscription } = await harness.subscribe()
    const input = { id: subscription.id, amountFrom: '1' }
    const refused = changeSubscriptionPlan(harness.deps, { ...harness.tenant, id: 'another' }, input)
    await expect(refused).rejects.toMatchObject({ code: 'subscription_not_found' })
    await harness.cancel(subscription)
    await expect(change(subscription, { amountFrom: '1' })).rejects.toMatchObject({ code: 'subscription_canceled' })
  })
})
