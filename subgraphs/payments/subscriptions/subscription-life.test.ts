import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { RECEIVERS } from '../../../test/harness/chains.js'
import { registerCheckoutPayment } from '../domain/registration/register-checkout-payment.js'
import { cardData, payByCard, rawCard } from '../fixtures/card-payments.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { chargeOf, presentOf, startPix } from '../fixtures/pix-payments.js'
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
import { cancelSubscription } from './cancel-subscription.js'
import { dueDate } from './periods.js'

const harness = await startPaymentsHarness()

describe('a subscription with a card on file', () => {
  it('begins with the first payment, and charges a payment of the same price at each due date', async () => {
    const orderCode = subscriptionOrder(harness)
    const { payment, subscription } = await paySubscription(harness, orderCode)
    expect(payment).toMatchObject({ status: 'success' })
    expect(subscription).toMatchObject({ status: 'active', orderCode, firstPaymentId: payment.id, planName: 'Gold' })
    // The payer agreed to this price, whatever the order asks of others later.
    Object.assign(harness.orders.get(orderCode) ?? {}, { amountFrom: '900' })
    for (const period of [1, 2]) {
      const before = await subscriptionNow(harness, subscription)
      expect(before.nextPaymentAt).toEqual(dueDate(before.anchorAt, 'monthly', period))
      await goTo(harness, before.nextPaymentAt)
    }
    const payments = await periodPayments(harness, subscription)
    expect(payments).toHaveLength(2)
    for (const periodic of payments) {
      const terms = { status: 'success', orderCode, amountFrom: '100', executorId: 'order_transaction' }
      expect(periodic).toMatchObject({ ...terms, gatewayMethod: 'subs', transactionType: 'cardfiat' })
      expect(processorOrders(harness, periodic)).toBe(1)
    }
    expect(await eventTypes(harness, subscription)).toEqual([
      ...['started', 'payment_registered', 'renewed', 'payment_registered', 'renewed'],
    ])
  })

  it('shows no id of card or customer to anybody', async () => {
    const { payment } = await paySubscription(harness, subscriptionOrder(harness))
    const shown = JSON.stringify(await presentOf(harness, payment))
    expect(shown).not.toContain(await cardIdOf(harness, payment))
  })

  it('tries a refused charge again a day apart as often as the order says, and is past due then', async () => {
    const order = subscriptionOrder(harness, { retryCount: 2 })
    const { subscription } = await paySubscription(harness, order, CARDS.refusedOnFile)
    await goTo(harness, subscription.nextPaymentAt)
    for (const refusals of [1, 2]) {
      const refused = await subscriptionNow(harness, subscription)
      expect(refused).toMatchObject({ status: 'active', refusals })
      const waitMs = Number(refused.nextAttemptAt?.getTime()) - refused.updatedAt.getTime()
      // The clock goes on between the two.
      expect(Math.abs(waitMs - DAY_SECONDS * 1000)).toBeLessThan(10_000)
      await harness.goOn(DAY_SECONDS - 60)
      expect(await subscriptionNow(harness, subscription)).toMatchObject({ refusals })
      await goTo(harness, refused.nextAttemptAt)
    }
    const [payment] = await periodPayments(harness, subscription)
    expect(payment).toMatchObject({ status: 'reproved' })
    expect(payment && processorOrders(harness, payment)).toBe(3)
    const end = { status: 'past_due', refusals: 3, nextAttemptAt: null, nextPaymentAt: null }
    expect(await subscriptionNow(harness, subscription)).toMatchObject(end)
    const failures = ['payment_failed', 'payment_failed', 'payment_failed']
    expect(await eventTypes(harness, subscription)).toEqual(['started', 'payment_registered', ...failures, 'past_due'])
    // Nothing more is registered, however much time passes.
    await harness.goOn(90 * DAY_SECONDS)
    expect(await periodPayments(harness, subscription)).toHaveLength(1)
  })

  it('goes on when a later try succeeds', async () => {
    const { payment, subscription } = await paySubscription(harness, subscriptionOrder(harness))
    const cardId = await cardIdOf(harness, payment)
    await harness.cardControl(`/cards/${cardId}/refuse`)
    await goTo(harness, subscription.nextPaymentAt)
    await harness.cardControl(`/cards/${cardId}/accept`)
    await goTo(harness, (await subscriptionNow(harness, subscription)).nextAttemptAt)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'active', nextAttemptAt: null })
    expect(await eventTypes(harness, subscription)).toEqual([
      ...['started', 'payment_registered', 'payment_failed', 'renewed'],
    ])
  })

  it('that is past due is active again when its payer pays by another card, which is charged from then on', async () => {
    const { subscription } = await paySubscription(
      harness,
      subscriptionOrder(harness, { retryCount: 0 }),
      CARDS.refusedOnFile,
    )
    await goTo(harness, subscription.nextPaymentAt)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'past_due' })
    await harness.advance(40 * DAY_SECONDS)
    const [unpaid] = await periodPayments(harness, subscription)
    if (!unpaid) throw new Error('no payment was registered')
    // The payer's own try is not the subscription's.
    await payByCard(harness, unpaid, {}, CARDS.refused)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'past_due', refusals: 1 })
    await payByCard(harness, unpaid, {}, CARDS.paid)
    const again = await subscriptionNow(harness, subscription)
    expect(again).toMatchObject({ status: 'active', skippedPeriods: 1, meansPaymentId: unpaid.id })
    await goTo(harness, again.nextPaymentAt)
    expect((await periodPayments(harness, subscription)).map(({ status }) => status)).toEqual(['success', 'success'])
  })

  it('is refused once the card has expired', async () => {
    const orderCode = subscriptionOrder(harness, { interval: 'yearly', retryCount: 0 })
    const registered = await registerCheckoutPayment(harness.deps, harness.tenant, { orderCode } as never)
    const soon = new Date(harness.clock.now().getTime() + 60 * DAY_SECONDS * 1000)
    const card = { ...rawCard(CARDS.paid), expMonth: soon.getUTCMonth() + 1, expYear: soon.getUTCFullYear() }
    const { id } = await payByCard(harness, registered, { cardData: cardData(CARDS.paid, { card }) })
    const [subscription] = await harness.deps.subscriptions.ofPayments(harness.tenant.id, [id])
    if (!subscription) throw new Error('no subscription has begun')
    await goTo(harness, subscription.nextPaymentAt)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'past_due', refusals: 1 })
  })

  it('does not charge while its payer has another attempt open, and goes on when that has ended', async () => {
    const splitPaymentConfig = [{ receiverWallet: RECEIVERS[0], receiverPercent: 100, recipientId: 'rp_shop0001' }]
    const orderCode = subscriptionOrder(harness, {}, { splitPaymentConfig })
    const { payment, subscription } = await paySubscription(harness, orderCode)
    await harness.cardControl(`/cards/${await cardIdOf(harness, payment)}/refuse`)
    await goTo(harness, subscription.nextPaymentAt)
    const [unpaid] = await periodPayments(harness, subscription)
    if (!unpaid) throw new Error('no payment was registered')
    const { nextAttemptAt } = await subscriptionNow(harness, subscription)
    await harness.advance(DAY_SECONDS - 300)
    const { reference } = await chargeOf(harness, await startPix(harness, unpaid))
    await goTo(harness, nextAttemptAt)
    expect(processorOrders(harness, unpaid)).toBe(1)
    expect(await presentOf(harness, unpaid)).toMatchObject({ status: 'pending', transactionType: 'pixcrypto' })
    // Nobody pays it: ours comes an hour later.
    await harness.pixControl(`/cob/${reference}/expire`)
    await harness.goOn(3_700)
    expect(processorOrders(harness, unpaid)).toBe(2)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'past_due', refusals: 2 })
  })

  it('counts a card that the processor does not have any more as a refusal', async () => {
    const { payment, subscription } = await paySubscription(harness, subscriptionOrder(harness, { retryCount: 0 }))
    await harness.cardControl(`/cards/${await cardIdOf(harness, payment)}/remove`)
    await goTo(harness, subscription.nextPaymentAt)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'past_due', refusals: 1 })
  })

  it('tries again within the hour, without counting it, while the processor cannot be reached', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness, { retryCount: 0 }))
    await harness.cardControl('/faults', { mode: 'error' })
    await goTo(harness, subscription.nextPaymentAt)
    // The processor cannot even be asked what it has, so the attempt is watched.
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'active', refusals: 0 })
    await harness.cardControl('/faults', { mode: 'ok' })
    await harness.goOn(60)
    const failed = await subscriptionNow(harness, subscription)
    expect(failed).toMatchObject({ status: 'active', refusals: 0 })
    await goTo(harness, failed.nextAttemptAt)
    const [payment] = await periodPayments(harness, subscription)
    expect(payment).toMatchObject({ status: 'success' })
    expect(payment && processorOrders(harness, payment)).toBe(1)
  })

  it('charges once where the processor’s answer is lost', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness))
    await harness.cardControl('/faults', { mode: 'drop-answer', times: 1 })
    await goTo(harness, subscription.nextPaymentAt)
    const [payment] = await periodPayments(harness, subscription)
    expect(payment).toMatchObject({ status: 'success' })
    expect(payment && processorOrders(harness, payment)).toBe(1)
  })
})

describe('a subscription that is not charged', () => {
  it('registers the payment, tells of it, and leaves the paying to its payer', async () => {
    const { payment: first, subscription } = await paySubscription(
      harness,
      subscriptionOrder(harness, { charge: false }),
    )
    await expect(cardIdOf(harness, first)).rejects.toThrow('no card is on file')
    await goTo(harness, subscription.nextPaymentAt)
    const [payment] = await periodPayments(harness, subscription)
    expect(payment).toMatchObject({ status: 'registered' })
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'active', nextAttemptAt: null })
    if (!payment) throw new Error('no payment was registered')
    await payByCard(harness, payment)
    expect(await eventTypes(harness, subscription)).toEqual(['started', 'payment_registered', 'renewed'])
  })

  it('is one that began with a payment by other means', async () => {
    const orderCode = subscriptionOrder(harness)
    const { tenantId, id } = await registerCheckoutPayment(harness.deps, harness.tenant, { orderCode } as never)
    for (const status of ['pending', 'success'] as const) {
      const paid = { change: { status, transactionType: 'crypto' }, cause: 'payer_paid', notify: true } as const
      await harness.deps.payments.change(tenantId, id, () => Promise.resolve(paid))
    }
    const [subscription] = await harness.deps.subscriptions.ofPayments(tenantId, [id])
    expect(subscription).toMatchObject({ status: 'active', charge: true })
    if (!subscription) throw new Error('no subscription has begun')
    await goTo(harness, subscription.nextPaymentAt)
    expect((await periodPayments(harness, subscription)).map(({ status }) => status)).toEqual(['registered'])
    expect(await eventTypes(harness, subscription)).toEqual(['started', 'payment_registered'])
  })

  it('is one whose tenant has no card payments any more, or whose order takes no cards', async () => {
    const orderCode = subscriptionOrder(harness)
    const { subscription } = await paySubscription(harness, orderCode)
    harness.products.creditCard = false
    await goTo(harness, subscription.nextPaymentAt)
    harness.products.creditCard = true
    const order = harness.orders.get(orderCode)
    if (order) order.paymentMethodAllowed = { ...order.paymentMethodAllowed, cardfiat: false }
    await goTo(harness, (await subscriptionNow(harness, subscription)).nextPaymentAt)
    const payments = await periodPayments(harness, subscription)
    expect(payments.map(({ status }) => status)).toEqual(['registered', 'registered'])
  })
})

describe('the due dates of a subscription', () => {
  it('begin with the order’s, or with the next one of its rhythm where that is past', async () => {
    const now = harness.clock.now().getTime()
    const seconds = Math.floor(now / 1000)
    const ahead = await paySubscription(
      harness,
      subscriptionOrder(harness, { nextPaymentAt: seconds + 3 * DAY_SECONDS }),
    )
    expect(ahead.subscription.nextPaymentAt).toEqual(new Date((seconds + 3 * DAY_SECONDS) * 1000))
    const weekly = { interval: 'weekly' as const, nextPaymentAt: seconds - 10 * DAY_SECONDS }
    const past = await paySubscription(harness, subscriptionOrder(harness, weekly))
    expect(past.subscription.nextPaymentAt).toEqual(new Date((seconds + 4 * DAY_SECONDS) * 1000))
  })

  it('that passed while nothing ran come to one payment, and the event says how many were left out', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness, { interval: 'weekly' }))
    await harness.goOn(7 * 5 * DAY_SECONDS + 60)
    expect(await periodPayments(harness, subscription)).toHaveLength(1)
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
    const orderCode = subscriptionOrder(harness)
    const { subscription } = await paySubscription(harness, orderCode)
    Object.assign(harness.orders.get(orderCode) ?? {}, change)
    await goTo(harness, subscription.nextPaymentAt)
    const end = { status: 'canceled', cancelReason, nextPaymentAt: null }
    expect(await subscriptionNow(harness, subscription)).toMatchObject(end)
    expect(await periodPayments(harness, subscription)).toEqual([])
    expect(await eventTypes(harness, subscription)).toEqual(['started', 'canceled'])
  })

  it('at once when its tenant says so, and tries no refused charge again', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness), CARDS.refusedOnFile)
    await goTo(harness, subscription.nextPaymentAt)
    const { nextAttemptAt } = await subscriptionNow(harness, subscription)
    const input = { id: subscription.id }
    for (let time = 0; time < 2; time += 1) {
      const canceled = await cancelSubscription(harness.deps, harness.tenant, input)
      expect(canceled).toMatchObject({ status: 'canceled', cancelReason: 'requested' })
    }
    await goTo(harness, nextAttemptAt)
    const [payment] = await periodPayments(harness, subscription)
    expect(payment && processorOrders(harness, payment)).toBe(1)
    expect(await eventTypes(harness, subscription)).toEqual([
      ...['started', 'payment_registered', 'payment_failed', 'canceled'],
    ])
  })

  it('for its own tenant only', async () => {
    const { payment, subscription } = await paySubscription(harness, subscriptionOrder(harness))
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
