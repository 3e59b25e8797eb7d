import { describe, expect, it } from 'vitest'
import { RECEIVERS } from '../../../test/harness/chains.js'
import { registerCheckoutPayment } from '../domain/registration/register-checkout-payment.js'
import { cardData, CARDS, payByCard, rawCard } from '../fixtures/card-payments.js'
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
  REFUSED_ON_FILE,
  subscriptionNow,
  subscriptionOrder,
} from '../fixtures/subscriptions.js'
import { cancelSubscription } from './cancel-subscription.js'
import { dueDate } from './periods.js'

const world = await startPaymentsHarness()

describe('a subscription with a card on file', () => {
  it('begins with the first payment, and charges a payment of the same price at each due date', async () => {
    const orderCode = subscriptionOrder(world)
    const { payment, subscription } = await paySubscription(world, orderCode)
    expect(payment).toMatchObject({ status: 'success' })
    expect(subscription).toMatchObject({ status: 'active', orderCode, firstPaymentId: payment.id, planName: 'Gold' })
    // The payer agreed to this price, whatever the order asks of others later.
    Object.assign(world.orders.get(orderCode) ?? {}, { amountFrom: '900' })
    for (const period of [1, 2]) {
      const before = await subscriptionNow(world, subscription)
      expect(before.nextPaymentAt).toEqual(dueDate(before.anchorAt, 'monthly', period))
      await goTo(world, before.nextPaymentAt)
    }
    const payments = await periodPayments(world, subscription)
    expect(payments).toHaveLength(2)
    for (const periodic of payments) {
      const terms = { status: 'success', orderCode, amountFrom: '100', executorId: 'order_transaction' }
      expect(periodic).toMatchObject({ ...terms, gatewayMethod: 'subs', transactionType: 'cardfiat' })
      expect(processorOrders(world, periodic)).toBe(1)
    }
    expect(await eventTypes(world, subscription)).toEqual([
      ...['started', 'payment_registered', 'renewed', 'payment_registered', 'renewed'],
    ])
  })

  it('shows no id of card or customer to anybody', async () => {
    const { payment } = await paySubscription(world, subscriptionOrder(world))
    const shown = JSON.stringify(await presentOf(world, payment))
    expect(shown).not.toContain(await cardIdOf(world, payment))
  })

  it('tries a refused charge again a day apart as often as the order says, and is past due then', async () => {
    const { subscription } = await paySubscription(world, subscriptionOrder(world, { retryCount: 2 }), REFUSED_ON_FILE)
    await goTo(world, subscription.nextPaymentAt)
    for (const refusals of [1, 2]) {
      const refused = await subscriptionNow(world, subscription)
      expect(refused).toMatchObject({ status: 'active', refusals })
      const waitMs = Number(refused.nextAttemptAt?.getTime()) - refused.updatedAt.getTime()
      // The clock goes on between the two.
      expect(Math.abs(waitMs - DAY_SECONDS * 1000)).toBeLessThan(10_000)
      await world.advance(DAY_SECONDS - 60)
      await world.runJobs()
      expect(await subscriptionNow(world, subscription)).toMatchObject({ refusals })
      await goTo(world, refused.nextAttemptAt)
    }
    const [payment] = await periodPayments(world, subscription)
    expect(payment).toMatchObject({ status: 'reproved' })
    expect(payment && processorOrders(world, payment)).toBe(3)
    const end = { status: 'past_due', refusals: 3, nextAttemptAt: null, nextPaymentAt: null }
    expect(await subscriptionNow(world, subscription)).toMatchObject(end)
    const failures = ['payment_failed', 'payment_failed', 'payment_failed']
    expect(await eventTypes(world, subscription)).toEqual(['started', 'payment_registered', ...failures, 'past_due'])
    // Nothing more is registered, however much time passes.
    await world.advance(90 * DAY_SECONDS)
    await world.runJobs()
    expect(await periodPayments(world, subscription)).toHaveLength(1)
  })

  it('goes on when a later try succeeds', async () => {
    const { payment, subscription } = await paySubscription(world, subscriptionOrder(world))
    const cardId = await cardIdOf(world, payment)
    await world.cardControl(`/cards/${cardId}/refuse`)
    await goTo(world, subscription.nextPaymentAt)
    await world.cardControl(`/cards/${cardId}/accept`)
    await goTo(world, (await subscriptionNow(world, subscription)).nextAttemptAt)
    expect(await subscriptionNow(world, subscription)).toMatchObject({ status: 'active', nextAttemptAt: null })
    expect(await eventTypes(world, subscription)).toEqual([
      ...['started', 'payment_registered', 'payment_failed', 'renewed'],
    ])
  })

  it('that is past due is active again when its payer pays by another card, which is charged from then on', async () => {
    const { subscription } = await paySubscription(world, subscriptionOrder(world, { retryCount: 0 }), REFUSED_ON_FILE)
    await goTo(world, subscription.nextPaymentAt)
    expect(await subscriptionNow(world, subscription)).toMatchObject({ status: 'past_due' })
    await world.advance(40 * DAY_SECONDS)
    const [unpaid] = await periodPayments(world, subscription)
    if (!unpaid) throw new Error('no payment was registered')
    // The payer's own try is not the subscription's.
    await payByCard(world, unpaid, {}, CARDS.refused)
    expect(await subscriptionNow(world, subscription)).toMatchObject({ status: 'past_due', refusals: 1 })
    await payByCard(world, unpaid, {}, CARDS.paid)
    const again = await subscriptionNow(world, subscription)
    expect(again).toMatchObject({ status: 'active', skippedPeriods: 1, meansPaymentId: unpaid.id })
    await goTo(world, again.nextPaymentAt)
    expect((await periodPayments(world, subscription)).map(({ status }) => status)).toEqual(['success', 'success'])
  })

  it('is refused once the card has expired', async () => {
    const orderCode = subscriptionOrder(world, { interval: 'yearly', retryCount: 0 })
    const registered = await registerCheckoutPayment(world.deps, world.tenant, { orderCode } as never)
    const soon = new Date(world.clock.now().getTime() + 60 * DAY_SECONDS * 1000)
    const card = { ...rawCard(CARDS.paid), expMonth: soon.getUTCMonth() + 1, expYear: soon.getUTCFullYear() }
    const { id } = await payByCard(world, registered, { cardData: cardData(CARDS.paid, { card }) })
    const [subscription] = await world.deps.subscriptions.ofPayments(world.tenant.id, [id])
    if (!subscription) throw new Error('no subscription has begun')
    await goTo(world, subscription.nextPaymentAt)
    expect(await subscriptionNow(world, subscription)).toMatchObject({ status: 'past_due', refusals: 1 })
  })

  it('does not charge while its payer has another attempt open, and goes on when that has ended', async () => {
    const splitPaymentConfig = [{ receiverWallet: RECEIVERS[0], receiverPercent: 100, recipientId: 'rp_shop0001' }]
    const orderCode = subscriptionOrder(world, {}, { splitPaymentConfig })
    const { payment, subscription } = await paySubscription(world, orderCode)
    await world.cardControl(`/cards/${await cardIdOf(world, payment)}/refuse`)
    await goTo(world, subscription.nextPaymentAt)
    const [unpaid] = await periodPayments(world, subscription)
    if (!unpaid) throw new Error('no payment was registered')
    const { nextAttemptAt } = await subscriptionNow(world, subscription)
    await world.advance(DAY_SECONDS - 300)
    const { reference } = await chargeOf(world, await startPix(world, unpaid))
    await goTo(world, nextAttemptAt)
    expect(processorOrders(world, unpaid)).toBe(1)
    expect(await presentOf(world, unpaid)).toMatchObject({ status: 'pending', transactionType: 'pixcrypto' })
    // Nobody pays it: ours comes an hour later.
    await world.pixControl(`/cob/${reference}/expire`)
    await world.advance(3_700)
    await world.runJobs()
    expect(processorOrders(world, unpaid)).toBe(2)
    expect(await subscriptionNow(world, subscription)).toMatchObject({ status: 'past_due', refusals: 2 })
  })

  it('counts a card that the processor does not have any more as a refusal', async () => {
    const { payment, subscription } = await paySubscription(world, subscriptionOrder(world, { retryCount: 0 }))
    await world.cardControl(`/cards/${await cardIdOf(world, payment)}/remove`)
    await goTo(world, subscription.nextPaymentAt)
    expect(await subscriptionNow(world, subscription)).toMatchObject({ status: 'past_due', refusals: 1 })
  })

  it('tries again within the hour, without counting it, while the processor cannot be reached', async () => {
    const { subscription } = await paySubscription(world, subscriptionOrder(world, { retryCount: 0 }))
    await world.cardControl('/faults', { mode: 'error' })
    await goTo(world, subscription.nextPaymentAt)
    // The processor cannot even be asked what it has, so the attempt is watched.
    expect(await subscriptionNow(world, subscription)).toMatchObject({ status: 'active', refusals: 0 })
    await world.cardControl('/faults', { mode: 'ok' })
    await world.advance(60)
    await world.runJobs()
    const failed = await subscriptionNow(world, subscription)
    expect(failed).toMatchObject({ status: 'active', refusals: 0 })
    await goTo(world, failed.nextAttemptAt)
    const [payment] = await periodPayments(world, subscription)
    expect(payment).toMatchObject({ status: 'success' })
    expect(payment && processorOrders(world, payment)).toBe(1)
  })

  it('charges once where the processor’s answer is lost', async () => {
    const { subscription } = await paySubscription(world, subscriptionOrder(world))
    await world.cardControl('/faults', { mode: 'drop-answer', times: 1 })
    await goTo(world, subscription.nextPaymentAt)
    const [payment] = await periodPayments(world, subscription)
    expect(payment).toMatchObject({ status: 'success' })
    expect(payment && processorOrders(world, payment)).toBe(1)
  })
})

describe('a subscription that is not charged', () => {
  it('registers the payment, tells of it, and leaves the paying to its payer', async () => {
    const { payment: first, subscription } = await paySubscription(world, subscriptionOrder(world, { charge: false }))
    await expect(cardIdOf(world, first)).rejects.toThrow('no card is on file')
    await goTo(world, subscription.nextPaymentAt)
    const [payment] = await periodPayments(world, subscription)
    expect(payment).toMatchObject({ status: 'registered' })
    expect(await subscriptionNow(world, subscription)).toMatchObject({ status: 'active', nextAttemptAt: null })
    if (!payment) throw new Error('no payment was registered')
    await payByCard(world, payment)
    expect(await eventTypes(world, subscription)).toEqual(['started', 'payment_registered', 'renewed'])
  })

  it('is one that began with a payment by other means', async () => {
    const orderCode = subscriptionOrder(world)
    const { tenantId, id } = await registerCheckoutPayment(world.deps, world.tenant, { orderCode } as never)
    for (const status of ['pending', 'success'] as const) {
      const change = { status, transactionType: 'crypto' as const }
      await world.deps.payments.change(tenantId, id, () => Promise.resolve({ change, cause: 'test', notify: true }))
    }
    const [subscription] = await world.deps.subscriptions.ofPayments(tenantId, [id])
    expect(subscription).toMatchObject({ status: 'active', charge: true })
    if (!subscription) throw new Error('no subscription has begun')
    await goTo(world, subscription.nextPaymentAt)
    expect((await periodPayments(world, subscription)).map(({ status }) => status)).toEqual(['registered'])
    expect(await eventTypes(world, subscription)).toEqual(['started', 'payment_registered'])
  })

  it('is one whose tenant has no card payments any more, or whose order takes no cards', async () => {
    const orderCode = subscriptionOrder(world)
    const { subscription } = await paySubscription(world, orderCode)
    world.products.creditCard = false
    await goTo(world, subscription.nextPaymentAt)
    world.products.creditCard = true
    const order = world.orders.get(orderCode)
    if (order) order.paymentMethodAllowed = { ...order.paymentMethodAllowed, cardfiat: false }
    await goTo(world, (await subscriptionNow(world, subscription)).nextPaymentAt)
    const payments = await periodPayments(world, subscription)
    expect(payments.map(({ status }) => status)).toEqual(['registered', 'registered'])
  })
})

describe('the due dates of a subscription', () => {
  it('begin with the order’s, or with the next one of its rhythm where that is past', async () => {
    const now = world.clock.now().getTime()
    const seconds = Math.floor(now / 1000)
    const ahead = await paySubscription(world, subscriptionOrder(world, { nextPaymentAt: seconds + 3 * DAY_SECONDS }))
    expect(ahead.subscription.nextPaymentAt).toEqual(new Date((seconds + 3 * DAY_SECONDS) * 1000))
    const weekly = { interval: 'weekly' as const, nextPaymentAt: seconds - 10 * DAY_SECONDS }
    const past = await paySubscription(world, subscriptionOrder(world, weekly))
    expect(past.subscription.nextPaymentAt).toEqual(new Date((seconds + 4 * DAY_SECONDS) * 1000))
  })

  it('that passed while nothing ran come to one payment, and the event says how many were left out', async () => {
    const { subscription } = await paySubscription(world, subscriptionOrder(world, { interval: 'weekly' }))
    await world.advance(7 * 5 * DAY_SECONDS + 60)
    await world.runJobs()
    expect(await periodPayments(world, subscription)).toHaveLength(1)
    const registered = await world.deps.subscriptions.findAt(world.tenant.id, subscription.id, 2)
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
    const orderCode = subscriptionOrder(world)
    const { subscription } = await paySubscription(world, orderCode)
    Object.assign(world.orders.get(orderCode) ?? {}, change)
    await goTo(world, subscription.nextPaymentAt)
    const end = { status: 'canceled', cancelReason, nextPaymentAt: null }
    expect(await subscriptionNow(world, subscription)).toMatchObject(end)
    expect(await periodPayments(world, subscription)).toEqual([])
    expect(await eventTypes(world, subscription)).toEqual(['started', 'canceled'])
  })

  it('at once when its tenant says so, and tries no refused charge again', async () => {
    const { subscription } = await paySubscription(world, subscriptionOrder(world), REFUSED_ON_FILE)
    await goTo(world, subscription.nextPaymentAt)
    const { nextAttemptAt } = await subscriptionNow(world, subscription)
    const input = { id: subscription.id }
    for (let time = 0; time < 2; time += 1) {
      const canceled = await cancelSubscription(world.deps, world.tenant, input)
      expect(canceled).toMatchObject({ status: 'canceled', cancelReason: 'requested' })
    }
    await goTo(world, nextAttemptAt)
    const [payment] = await periodPayments(world, subscription)
    expect(payment && processorOrders(world, payment)).toBe(1)
    expect(await eventTypes(world, subscription)).toEqual([
      ...['started', 'payment_registered', 'payment_failed', 'canceled'],
    ])
  })

  it('for its own tenant only', async () => {
    const { payment, subscription } = await paySubscription(world, subscriptionOrder(world))
    const other = { ...world.tenant, id: 'another' }
    const refused = cancelSubscription(world.deps, other, { id: subscription.id })
    await expect(refused).rejects.toMatchObject({ code: 'subscription_not_found' })
    const { subscriptions } = world.deps
    expect(await subscriptions.findAt(other.id, subscription.id, 1)).toBeUndefined()
    expect(await subscriptions.ofPayments(other.id, [payment.id])).toEqual([undefined])
    expect(await subscriptions.list(other.id, subscription.orderCode, { limit: 9, afterId: undefined })).toEqual([])
  })
})
