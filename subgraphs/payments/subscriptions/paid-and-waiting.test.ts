import { beforeEach, describe, expect, it } from 'vitest'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { keptMails } from '../fixtures/kept-mails.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { changeCharge } from '../fixtures/card-payments.js'
import { chargeOf, payAndProcess, presentOf, startPix } from '../fixtures/pix-payments.js'
import {
  DAY_SECONDS,
  eventTypes,
  goTo,
  paySubscription,
  periodPayments,
  processorOrders,
  subscriptionNow,
  subscriptionOrder,
} from '../fixtures/subscriptions.js'
import { endSubscriptions } from '../fixtures/rows.js'
import type { Payment } from '../store/payment.entity.js'
import type { Subscription } from '../store/subscription.entity.js'
import { startTrial } from './start-trial.js'

const { sent, mails } = keptMails({ pastDueDays: 7 })
const harness = await startPaymentsHarness({ mails })
const { deps, tenant } = harness
// Longer than a period: a card's money can be taken back for months.
for (const rail of ['pix', 'card']) await deps.risk.setDelay(tenant.id, rail, 60 * 24 * 60)

beforeEach(async () => {
  await endSubscriptions(harness)
  sent.length = 0
})

/** A receiver in fiat and on chain. */
const splitPaymentConfig = [
  { receiverWallet: `0x${'11'.repeat(20)}`, receiverPercent: 100, recipientId: 'rp_shop0001', liable: true },
]
const mailsOf = ({ id }: Subscription) =>
  sent.filter(({ messageName }) => messageName?.startsWith(`mail-subscription-${id}-`)).length

async function goDays(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    await harness.goOn(DAY_SECONDS)
  }
}

async function payByPix(payment: Payment): Promise<void> {
  const charged = await startPix(harness, payment)
  await payAndProcess(harness, (await chargeOf(harness, charged)).reference)
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
}

async function unpaidOf(subscription: Subscription): Promise<Payment> {
  const payment = (await periodPayments(harness, subscription)).at(-1)
  if (!payment) throw new Error('no payment was registered')
  return payment
}

describe('a period whose money is in, and whose receivers wait', () => {
  it('is asked for no more, and does not make its subscription past due', async () => {
    const order = subscriptionOrder(harness, { charge: false }, { splitPaymentConfig })
    const { subscription } = await paySubscription(harness, order)
    await goTo(harness, subscription.nextPaymentAt)
    await payByPix(await unpaidOf(subscription))
    await goDays(20)
    expect(mailsOf(subscription)).toBe(1)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'active' })
  })

  it('is charged to no card, and counts as no refusal', async () => {
    const order = subscriptionOrder(harness, { retryCount: 1 }, { splitPaymentConfig })
    const { subscription } = await paySubscription(harness, order, CARDS.refusedOnFile)
    await goTo(harness, subscription.nextPaymentAt)
    const payment = await unpaidOf(subscription)
    await payByPix(payment)
    await goDays(10)
    expect(processorOrders(harness, payment)).toBe(1)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'active', refusals: 1 })
  })

  it('is the end of a trial like any other that is paid', async () => {
    const orderCode = subscriptionOrder(harness, { charge: false }, { splitPaymentConfig })
    const subscription = await startTrial(deps, tenant, { orderCode, payerEmail: 'ana@example.com', trialDays: 7 })
    await goTo(harness, subscription.trialEndsAt)
    await payByPix(await unpaidOf(subscription))
    await goTo(harness, subscription.nextPaymentAt)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'active' })
    expect(await eventTypes(harness, subscription)).toEqual(['started', 'payment_registered'])
    expect(await periodPayments(harness, subscription)).toHaveLength(2)
  })

  it('is over once its money was taken back: nothing is charged for it again, and the subscription is past due', async () => {
    const order = subscriptionOrder(harness, { retryCount: 1 }, { splitPaymentConfig })
    const { subscription } = await paySubscription(harness, order)
    const { meansPaymentId } = subscription
    // Its payer's card is charged for crypto, whose receivers wait.
    await harness.query(`update payments.payment set transaction_type = 'cardcrypto' where id = $1`, [meansPaymentId])
    await goTo(harness, subscription.nextPaymentAt)
    const payment = await unpaidOf(subscription)
    expect(payment).toMatchObject({ status: 'pending', transactionType: 'cardcrypto' })
    await changeCharge(harness, payment, 'chargeback')
    expect(await presentOf(harness, payment)).toMatchObject({ dataError: { code: 'charge_taken_back' } })
    await goDays(3)
    expect(processorOrders(harness, payment)).toBe(1)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'past_due' })
  })
})
