import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { RECEIVERS } from '../../../test/harness/chains.js'
import { completeMethods } from '../../../terms/methods.js'
import { cancelPayment } from '../domain/cancel-payment.js'
import { registerCheckoutPayment } from '../domain/registration/register-checkout-payment.js'
import { cardData, payByCard, rawCard } from '../fixtures/card-payments.js'
import { chargeOf, presentOf, startPix } from '../fixtures/pix-payments.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../fixtures/subscriptions.js'
import { UNDERPAID } from '../model/payment-address.js'
import { paymentFailure } from '../model/payment-failure.js'
import { cancelSubscription } from './cancel-subscription.js'
import { dueDate } from './periods.js'

const harness = await startSubscriptionHarness()

describe('a subscription with a card on file', () => {
  it('begins with the first payment, and charges a payment of the same price at each due date', async () => {
    const { payment, subscription } = await harness.subscribe()
    const { orderCode } = subscription
    expect(payment).toMatchObject({ status: 'success' })
    expect(subscription).toMatchObject({ status: 'active', firstPaymentId: payment.id, planName: 'Gold' })
    // The payer agreed to this price, whatever the order asks of others later.
    harness.changeOrder(subscription, { amountFrom: '900' })
    for (const period of [1, 2]) {
      const before = await harness.subscriptionNow(subscription)
      expect(before.nextPaymentAt).toEqual(dueDate(before.anchorAt, 'monthly', period))
      await harness.goTo(before.nextPaymentAt)
    }
    const payments = await harness.periodPayments(subscription)
    expect(payments).toHaveLength(2)
    for (const periodic of payments) {
      const terms = { status: 'success', orderCode, amountFrom: '100', executorId: 'order_transaction' }
      expect(periodic).toMatchObject({ ...terms, gatewayMethod: 'subs', transactionType: 'cardfiat' })
      expect(harness.processorOrders(periodic)).toBe(1)
    }
    expect(await harness.eventTypes(subscription)).toEqual([
      ...['started', 'payment_registered', 'renewed', 'payment_registered', 'renewed'],
    ])
  })

  it('shows no id of card or customer to anybody', async () => {
    const { payment } = await harness.subscribe()
    const shown = JSON.stringify(await presentOf(harness, payment))
    expect(shown).not.toContain(await harness.cardIdOf(payment))
  })

  it('tries a refused charge again a day apart as often as the order says, and is past due then', async () => {
    const subscription = await harness.subscriptionDue({ retryCount: 2 }, CARDS.refusedOnFile)
    for (const refusals of [1, 2]) {
      const refused = await harness.subscriptionNow(subscription)
      expect(refused).toMatchObject({ status: 'active', refusals })
      const waitMs = Number(refused.nextAttemptAt?.getTime()) - refused.updatedAt.getTime()
      // The clock goes on between the two.
      expect(Math.abs(waitMs - DAY_SECONDS * 1000)).toBeLessThan(10_000)
      await harness.goOn(DAY_SECONDS - 60)
      expect(await harness.subscriptionNow(subscription)).toMatchObject({ refusals })
      await harness.goTo(refused.nextAttemptAt)
    }
    const payment = await harness.lastPeriod(subscription)
    expect(payment).toMatchObject({ status: 'reproved' })
    expect(harness.processorOrders(payment)).toBe(3)
    const end = { status: 'past_due', refusals: 3, nextAttemptAt: null, nextPaymentAt: null }
    expect(await harness.subscriptionNow(subscription)).toMatchObject(end)
    const failures = ['payment_failed', 'payment_failed', 'payment_failed']
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered', ...failures, 'past_due'])
    // Nothing more is registered, however much time passes.
    await harness.goOn(90 * DAY_SECONDS)
    expect(await harness.periodPayments(subscription)).toHaveLength(1)
  })

  it('goes on when a later try succeeds', async () => {
    const subscribed = await harness.subscribe()
    const { subscription } = subscribed
    await harness.goRefused(subscribed)
    await harness.goTo((await harness.subscriptionNow(subscription)).nextAttemptAt)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', nextAttemptAt: null })
    expect(await harness.eventTypes(subscription)).toEqual([
      ...['started', 'payment_registered', 'payment_failed', 'renewed'],
    ])
  })

  it('that is past due is active again when its payer pays by another card, which is charged from then on', async () => {
    const subscription = await harness.subscriptionDue({ retryCount: 0 }, CARDS.refusedOnFile)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due' })
    await harness.advance(40 * DAY_SECONDS)
    const unpaid = await harness.lastPeriod(subscription)
    // The payer's own try is not the subscription's.
    await payByCard(harness, unpaid, {}, CARDS.refused)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', refusals: 1 })
    await payByCard(harness, unpaid, {}, CARDS.paid)
    const again = await harness.subscriptionNow(subscription)
    expect(again).toMatchObject({ status: 'active', skippedPeriods: 1, meansPaymentId: unpaid.id })
    await harness.goTo(again.nextPaymentAt)
    expect((await harness.periodPayments(subscription)).map(({ status }) => status)).toEqual(['success', 'success'])
  })

  it('that is past due is active again by the payment of what can still be paid', async () => {
    const subscription = await harness.subscriptionDue({ interval: 'weekly', retryCount: 8 }, CARDS.refusedOnFile)
    for (let day = 0; day < 20; day += 1) await harness.goOn(DAY_SECONDS)
    const [canceled, unpaid, ...others] = await harness.periodPayments(subscription)
    if (!canceled || !unpaid) throw new Error('there are no two periods')
    expect(others).toEqual([])
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due' })
    await cancelPayment(harness.deps, harness.tenant, { id: canceled.id })
    await payByCard(harness, unpaid)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
  })

  it('is refused once the card has expired', async () => {
    const orderCode = harness.subscriptionOrder({ interval: 'yearly', retryCount: 0 })
    const registered = await registerCheckoutPayment(harness.deps, harness.tenant, { orderCode } as never)
    const soon = new Date(harness.clock.now().getTime() + 60 * DAY_SECONDS * 1000)
    const card = { ...rawCard(CARDS.paid), expMonth: soon.getUTCMonth() + 1, expYear: soon.getUTCFullYear() }
    const { id } = await payByCard(harness, registered, { cardData: cardData(CARDS.paid, { card }) })
    const subscription = await harness.subscriptionOf({ id })
    await harness.goTo(subscription.nextPaymentAt)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', refusals: 1 })
  })

  it('does not charge while its payer has another attempt open, and goes on when that has ended', async () => {
    const splitPaymentConfig = [{ receiverWallet: RECEIVERS[0], receiverPercent: 100, recipientId: 'rp_shop0001' }]
    const { payment, subscription } = await harness.subscribe({}, CARDS.paid, { splitPaymentConfig })
    await harness.cardControl(`/cards/${await harness.cardIdOf(payment)}/refuse`)
    await harness.goTo(subscription.nextPaymentAt)
    const unpaid = await harness.lastPeriod(subscription)
    const { nextAttemptAt } = await harness.subscriptionNow(subscription)
    await harness.advance(DAY_SECONDS - 300)
    const { reference } = await chargeOf(harness, await startPix(harness, unpaid))
    await harness.goTo(nextAttemptAt)
    expect(harness.processorOrders(unpaid)).toBe(1)
    expect(await presentOf(harness, unpaid)).toMatchObject({ status: 'pending', transactionType: 'pixcrypto' })
    // Nobody pays it: ours comes an hour later.
    await harness.pixControl(`/cob/${reference}/expire`)
    await harness.goOn(3_700)
    expect(harness.processorOrders(unpaid)).toBe(2)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', refusals: 2 })
  })

  it('does not charge what its payer has sent a part of, and counts it where the rest does not come', async () => {
    const subscription = await harness.subscriptionDue({}, CARDS.refusedOnFile)
    const { tenantId, id } = await harness.lastPeriod(subscription)
    const dataError = paymentFailure(UNDERPAID, 'Less has come than is due.')
    for (const change of [{ status: 'pending' }, { status: 'error', receivedAmount: '5', dataError }] as const) {
      const sent = { change, cause: UNDERPAID, notify: true } as const
      await harness.deps.payments.change(tenantId, id, () => Promise.resolve(sent))
    }
    await harness.goTo((await harness.subscriptionNow(subscription)).nextAttemptAt)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', refusals: 1 })
    for (let day = 0; day < 4; day += 1) await harness.goOn(DAY_SECONDS)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', refusals: 2 })
    expect(harness.processorOrders({ id })).toBe(1)
  })

  it('counts a card that the processor does not have any more as a refusal', async () => {
    const { payment, subscription } = await harness.subscribe({ retryCount: 0 })
    await harness.cardControl(`/cards/${await harness.cardIdOf(payment)}/remove`)
    await harness.goTo(subscription.nextPaymentAt)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', refusals: 1 })
  })

  it('tries again within the hour, without counting it, while the processor cannot be reached', async () => {
    const { subscription } = await harness.subscribe({ retryCount: 0 })
    await harness.cardControl('/faults', { mode: 'error' })
    await harness.goTo(subscription.nextPaymentAt)
    // The processor cannot even be asked what it has, so the attempt is watched.
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', refusals: 0 })
    await harness.cardControl('/faults', { mode: 'ok' })
    await harness.goOn(60)
    const failed = await harness.subscriptionNow(subscription)
    expect(failed).toMatchObject({ status: 'active', refusals: 0 })
    await harness.goTo(failed.nextAttemptAt)
    const payment = await harness.lastPeriod(subscription)
    expect(payment).toMatchObject({ status: 'success' })
    expect(harness.processorOrders(payment)).toBe(1)
  })

  it('charges once where the processor’s answer is lost', async () => {
    const { subscription } = await harness.subscribe()
    await harness.cardControl('/faults', { mode: 'drop-answer', times: 1 })
    await harness.goTo(subscription.nextPaymentAt)
    const payment = await harness.lastPeriod(subscription)
    expect(payment).toMatchObject({ status: 'success' })
    expect(harness.processorOrders(payment)).toBe(1)
  })
})

describe('a subscription that is not charged', () => {
  it('registers the payment, tells of it, and leaves the paying to its payer', async () => {
    const { payment: first, subscription } = await harness.subscribe({ charge: false })
    await expect(harness.cardIdOf(first)).rejects.toThrow('no card is on file')
    await harness.goTo(subscription.nextPaymentAt)
    const payment = await harness.lastPeriod(subscription)
    expect(payment).toMatchObject({ status: 'registered' })
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', nextAttemptAt: null })
    await payByCard(harness, payment)
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered', 'renewed'])
  })

  it('is one that began with a payment by other means', async () => {
    const orderCode = harness.subscriptionOrder()
    const { tenantId, id } = await registerCheckoutPayment(harness.deps, harness.tenant, { orderCode } as never)
    for (const status of ['pending', 'success'] as const) {
      const paid = { change: { status, transactionType: 'crypto' }, cause: 'payer_paid', notify: true } as const
      await harness.deps.payments.change(tenantId, id, () => Promise.resolve(paid))
    }
    const subscription = await harness.subscriptionOf({ id })
    expect(subscription).toMatchObject({ status: 'active', charge: true })
    await harness.goTo(subscription.nextPaymentAt)
    expect((await harness.periodPayments(subscription)).map(({ status }) => status)).toEqual(['registered'])
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered'])
  })

  it('is one whose tenant has no card payments any more, or whose order takes no cards', async () => {
    const { subscription } = await harness.subscribe()
    harness.products.creditCard = false
    await harness.goTo(subscription.nextPaymentAt)
    harness.products.creditCard = true
    harness.changeOrder(subscription, { paymentMethodAllowed: completeMethods({ cardcrypto: true, pixcrypto: true }) })
    await harness.goTo((await harness.subscriptionNow(subscription)).nextPaymentAt)
    const payments = await harness.periodPayments(subscription)
    expect(payments.map(({ status }) => status)).toEqual(['registered', 'registered'])
  })
})

describe('the due dates of a subscription', () => {
  it('begin with the order’s, or with the next one of its rhythm where that is past', async () => {
    const now = harness.clock.now().getTime()
    const seconds = Math.floor(now / 1000)
    const ahead = await harness.subscribe({ nextPaymentAt: seconds + 3 * DAY_SECONDS })
    expect(ahead.subscription.nextPaymentAt).toEqual(new Date((seconds + 3 * DAY_SECONDS) * 1000))
    const weekly = { interval: 'weekly' as const, nextPaymentAt: seconds - 10 * DAY_SECONDS }
    const past = await harness.subscribe(weekly)
    expect(past.subscription.nextPaymentAt).toEqual(new Date((seconds + 4 * DAY_SECONDS) * 1000))
  })

  it('that passed while nothing ran come to one payment, and the event says how many were left out', async () => {
    const { subscription } = await harness.subscribe({ interval: 'weekly' })
    await harness.goOn(7 * 5 * DAY_SECONDS + 60)
    expect(await harness.periodPayments(subscription)).toHaveLength(1)
    const registered = await harness.deps.subscriptions.findAt(harness.tenant.id, subscription.id, 2)
    const dueAt = dueDate(subscription.anchorAt, 'weekly', 5)
    const nextPaymentAt = dueDate(subscription.anchorAt, 'weekly', 6)
    expect(registered).toMatchObject({ skippedPeriods: 4, dueAt, nextPaymentAt, sequence: 2 })
  })
})

describe('a subscription ends', () => {
  it.each([
    ['whose order is switched off', { active: false }, 'order_inactive'],
    ['whose order is none any more', { gatewayMethod: 'DIRECT' as const }, 'order_not_subscription'],
  ])('at the next due date %s', async (_what, change, cancelReason) => {
    const { subscription } = await harness.subscribe()
    harness.changeOrder(subscription, change)
    await harness.goTo(subscription.nextPaymentAt)
    const end = { status: 'canceled', cancelReason, nextPaymentAt: null }
    expect(await harness.subscriptionNow(subscription)).toMatchObject(end)
    expect(await harness.periodPayments(subscription)).toEqual([])
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'canceled'])
  })

  it('at once when its tenant says so, and tries no refused charge again', async () => {
    const subscription = await harness.subscriptionDue({}, CARDS.refusedOnFile)
    const { nextAttemptAt } = await harness.subscriptionNow(subscription)
    for (let time = 0; time < 2; time += 1) {
      expect(await harness.cancel(subscription)).toMatchObject({ status: 'canceled', cancelReason: 'requested' })
    }
    await harness.goTo(nextAttemptAt)
    expect(harness.processorOrders(await harness.lastPeriod(subscription))).toBe(1)
    expect(await harness.eventTypes(subscription)).toEqual([
      ...['started', 'payment_registered', 'payment_failed', 'canceled'],
    ])
  })

  it('for its own tenant only', async () => {
    const { payment, subscription } = await harness.subscribe()
    const other = { ...harness.tenant, id: 'another' }
    const refused = cancelSubscription(harness.deps, other, { id: subscription.id })
    await expect(refused).rejects.toMatchObject({ code: 'subscription_not_found' })
    const { subscriptions } = harness.deps
    expect(await subscriptions.findAt(other.id, subscription.id, 1)).toBeUndefined()
    expect(await subscriptions.ofPayments(other.id, [payment.id])).toEqual([undefined])
    expect(
      await subscriptions.list(other.id, { orderCode: subscription.orderCode ?? '' }, { limit: 9, afterId: undefined }),
    ).toEqual([])
  })
})
