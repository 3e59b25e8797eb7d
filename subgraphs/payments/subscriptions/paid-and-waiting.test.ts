import { beforeEach, describe, expect, it } from 'vitest'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { registerCheckoutPayment } from '../domain/registration/register-checkout-payment.js'
import { changeCharge, payByCard } from '../fixtures/card-payments.js'
import { keptMails } from '../fixtures/kept-mails.js'
import { chargeOf, payAndProcess, presentOf, startPix, untilToldOf } from '../fixtures/pix-payments.js'
import { orderRefund, untilRefunded } from '../fixtures/refunds.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../fixtures/subscriptions.js'
import { endSubscriptions } from '../fixtures/rows.js'
import type { Payment } from '../store/payment.entity.js'
import type { Subscription } from '../store/subscription.entity.js'
import { renewSubscription } from './renew-subscription.js'
import { PAST_DUE_STEP } from './mails/mail-jobs.js'
import { mailPayer } from './mails/mail-payer.js'
import { dueDate } from './periods.js'
import { startTrial } from './start-trial.js'

const { sent, mails } = keptMails({ pastDueDays: 7 })
const harness = await startSubscriptionHarness({ mails })
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

/** Has a payer's card be charged for crypto, whose receivers wait. */
async function chargeForCrypto({ meansPaymentId }: Subscription): Promise<void> {
  await harness.query(`update payments.payment set transaction_type = 'cardcrypto' where id = $1`, [meansPaymentId])
}

/** Leaves so many connections to the database. @returns what gives the others back */
async function takeConnections(left: number): Promise<() => void> {
  const { pool } = harness.db
  const taken = await Promise.all(Array.from({ length: pool.options.max - left }, () => pool.connect()))
  return () => {
    for (const connection of taken) connection.release()
  }
}

describe('a period whose money is in, and whose receivers wait', () => {
  it('is asked for no more, and does not make its subscription past due', async () => {
    const subscription = await harness.subscriptionDue({ charge: false }, CARDS.paid, { splitPaymentConfig })
    await payByPix(await harness.lastPeriod(subscription))
    await goDays(20)
    expect(mailsOf(subscription)).toBe(1)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
  })

  it('is not made past due where its payer pays while that is decided', async () => {
    const subscription = await harness.subscriptionDue({ charge: false }, CARDS.paid, { splitPaymentConfig })
    const payment = await harness.lastPeriod(subscription)
    await goDays(6)
    await harness.advance(DAY_SECONDS)
    const productsOf = async (tenantId: string) => {
      await payByPix(payment)
      return deps.productsOf(tenantId)
    }
    const step = { tenantId: tenant.id, subscriptionId: subscription.id, period: 1, step: PAST_DUE_STEP }
    await mailPayer({ ...deps, productsOf }, step)
    await goDays(2)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
  })

  it('is looked at after a trial without a second connection beside the one that holds the locks', async () => {
    const orderCode = harness.subscriptionOrder({ charge: false }, { splitPaymentConfig })
    const trial = await startTrial(deps, tenant, { orderCode, payerEmail: 'eva@example.com', trialDays: 7 })
    await harness.goTo(trial.trialEndsAt)
    await payByPix(await harness.lastPeriod(trial))
    const dueMs = trial.nextPaymentAt?.getTime() ?? 0
    await harness.advance(Math.ceil((dueMs - harness.clock.now().getTime()) / 1000))
    const giveBack = await takeConnections(1)
    await renewSubscription(deps, { tenantId: tenant.id, subscriptionId: trial.id }).finally(giveBack)
    expect(await harness.periodPayments(trial)).toHaveLength(2)
  })

  it('is looked at before it is past due without a second connection beside the one that holds the locks', async () => {
    const subscription = await harness.subscriptionDue({ charge: false }, CARDS.paid, { splitPaymentConfig })
    const payment = await harness.lastPeriod(subscription)
    await goDays(6)
    await harness.advance(DAY_SECONDS)
    let giveBack: (() => void) | undefined
    const change: typeof deps.payments.change = async (...given) => {
      await payByPix(payment)
      // One more holds the lock of the step.
      giveBack = await takeConnections(2)
      return deps.payments.change(...given)
    }
    const step = { tenantId: tenant.id, subscriptionId: subscription.id, period: 1, step: PAST_DUE_STEP }
    await mailPayer({ ...deps, payments: { ...deps.payments, change } }, step).finally(() => giveBack?.())
    expect(giveBack).toBeDefined()
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
  })

  it('is charged to no card, and counts as no refusal', async () => {
    const subscription = await harness.subscriptionDue({ retryCount: 1 }, CARDS.refusedOnFile, { splitPaymentConfig })
    const payment = await harness.lastPeriod(subscription)
    await payByPix(payment)
    await goDays(10)
    expect(harness.processorOrders(payment)).toBe(1)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', refusals: 1 })
  })

  it('is the end of a trial like any other that is paid', async () => {
    const orderCode = harness.subscriptionOrder({ charge: false }, { splitPaymentConfig })
    const subscription = await startTrial(deps, tenant, { orderCode, payerEmail: 'ana@example.com', trialDays: 7 })
    await harness.goTo(subscription.trialEndsAt)
    await payByPix(await harness.lastPeriod(subscription))
    await harness.goTo(subscription.nextPaymentAt)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered'])
    expect(await harness.periodPayments(subscription)).toHaveLength(2)
  })

  it('is over once its money was taken back: nothing is charged for it again, and the subscription is past due', async () => {
    const { subscription } = await harness.subscribe({ retryCount: 1 }, CARDS.paid, { splitPaymentConfig })
    await chargeForCrypto(subscription)
    await harness.goTo(subscription.nextPaymentAt)
    const payment = await harness.lastPeriod(subscription)
    expect(payment).toMatchObject({ status: 'pending', transactionType: 'cardcrypto' })
    await changeCharge(harness, payment, 'chargeback')
    expect(await presentOf(harness, payment)).toMatchObject({ dataError: { code: 'charge_taken_back' } })
    await goDays(3)
    expect(harness.processorOrders(payment)).toBe(1)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due' })
    // Nobody can pay that period any more: its tenant decides to go on.
    await harness.pause(subscription)
    const again = await harness.resume(subscription)
    expect(again).toMatchObject({ status: 'active' })
    await harness.goTo(again.nextPaymentAt)
    expect(await harness.periodPayments(subscription)).toMatchObject([{ id: payment.id }, { status: 'pending' }])
  })

  it('is settled where its tenant gives the money back: that counts as no refusal, and the next one is charged', async () => {
    const { subscription } = await harness.subscribe({ retryCount: 0 }, CARDS.paid, { splitPaymentConfig })
    await chargeForCrypto(subscription)
    await harness.goTo(subscription.nextPaymentAt)
    const payment = await harness.lastPeriod(subscription)
    await orderRefund(harness, payment)
    await untilRefunded(harness, payment)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'refunded' } })
    await goDays(3)
    expect(harness.processorOrders(payment)).toBe(1)
    const after = await harness.subscriptionNow(subscription)
    expect(after).toMatchObject({ status: 'active', refusals: 0 })
    await harness.goTo(after.nextPaymentAt)
    expect(await harness.periodPayments(subscription)).toMatchObject([{ id: payment.id }, { status: 'pending' }])
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered', 'payment_registered'])
  })

  it('starts its subscription when it succeeds, whose dates are counted from when the money came', async () => {
    const orderCode = harness.subscriptionOrder({}, { splitPaymentConfig })
    const registered = await registerCheckoutPayment(deps, tenant, { orderCode } as never)
    const first = await payByCard(harness, registered, { transactionType: 'cardcrypto' })
    const { confirmedAt } = await chargeOf(harness, first)
    if (!confirmedAt) throw new Error('nothing was paid')
    await harness.goOn(70 * DAY_SECONDS)
    expect(await deps.subscriptions.ofPayments(tenant.id, [first.id])).toEqual([undefined])
    const paidOut = { change: { status: 'success' }, cause: 'receivers_paid', notify: true } as const
    await deps.payments.change(tenant.id, first.id, () => Promise.resolve(paidOut))
    const subscription = await harness.subscriptionOf(first)
    const monthsAfter = (months: number) => dueDate(confirmedAt, 'monthly', months)
    expect(subscription).toMatchObject({ anchorAt: confirmedAt, nextPaymentAt: monthsAfter(1) })
    await harness.runJobs()
    // What passed meanwhile is one payment for the latest, as after any time in which nothing ran.
    const registration = await deps.subscriptions.findAt(tenant.id, subscription.id, 2)
    expect(registration).toMatchObject({ skippedPeriods: 1, dueAt: monthsAfter(2), nextPaymentAt: monthsAfter(3) })
    expect(await harness.periodPayments(subscription)).toHaveLength(1)
  })
})

describe('a failed period whose money is in, and whose receivers wait', () => {
  /** A subscription that is past due, as its card was refused at its first due date. */
  async function pastDue(): Promise<Subscription> {
    const subscription = await harness.subscriptionDue({ retryCount: 0 }, CARDS.refusedOnFile, { splitPaymentConfig })
    const failed = await harness.subscriptionNow(subscription)
    expect(failed).toMatchObject({ status: 'past_due', nextPaymentAt: null })
    return failed
  }

  it('is past due no more, and the next one is registered when it is due', async () => {
    const subscription = await pastDue()
    const payment = await harness.lastPeriod(subscription)
    await payByPix(payment)
    const resumed = await harness.subscriptionNow(subscription)
    expect(resumed).toMatchObject({ status: 'active' })
    await harness.goTo(resumed.nextPaymentAt)
    expect(await harness.periodPayments(subscription)).toHaveLength(2)
    const paidOut = { change: { status: 'success' }, cause: 'receivers_paid', notify: true } as const
    await deps.payments.change(tenant.id, payment.id, () => Promise.resolve(paidOut))
    const types = await harness.eventTypes(subscription)
    expect(types.slice(0, 5)).toEqual(['started', 'payment_registered', 'payment_failed', 'past_due', 'resumed'])
    expect(types).toContain('renewed')
  })

  it('is past due again once its money was taken back', async () => {
    const subscription = await pastDue()
    const payment = await harness.lastPeriod(subscription)
    const charged = await startPix(harness, payment)
    const endToEndId = await payAndProcess(harness, (await chargeOf(harness, charged)).reference)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
    await harness.pixControl(`/pix/${endToEndId}/med`)
    await untilToldOf(harness, endToEndId, 2)
    await harness.runJobs()
    expect(await presentOf(harness, payment)).toMatchObject({ dataError: { code: 'charge_taken_back' } })
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', nextPaymentAt: null })
  })

  it('keeps no other failed period that is paid from ending it, nor a paused subscription from going on', async () => {
    const subscription = await pastDue()
    const first = await harness.lastPeriod(subscription)
    await harness.pause(subscription)
    await payByPix(first)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'paused' })
    const resumed = await harness.resume(subscription)
    expect(resumed).toMatchObject({ status: 'active' })
    await harness.goTo(resumed.nextPaymentAt)
    const second = await harness.lastPeriod(subscription)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due' })
    expect(second.id).not.toBe(first.id)
    await payByPix(second)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
  })
})
