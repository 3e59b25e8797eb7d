import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { cancelPayment } from '../domain/cancel-payment.js'
import { chargeOf, payAndProcess, payCharge, presentOf, startPix, untilToldOf } from '../fixtures/pix-payments.js'
import { keptMails } from '../fixtures/kept-mails.js'
import { orderRefund, untilRefunded } from '../fixtures/refunds.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../fixtures/subscriptions.js'
import { REFUNDED } from '../model/attempt-rules.js'
import { UNDERPAID } from '../model/payment-address.js'
import { paymentFailure } from '../model/payment-failure.js'
import type { Payment } from '../store/payment.entity.js'
import type { Subscription } from '../store/subscription.entity.js'
import { chargePeriod } from './charge-period.js'
import { startTrial } from './start-trial.js'

const { mails } = keptMails({ pastDueDays: 0 })
const harness = await startSubscriptionHarness({ mails })
const { deps, tenant } = harness
await deps.risk.setDelay(tenant.id, 'pix', 60 * 24 * 60)

/** A receiver in fiat and on chain. */
const splitPaymentConfig = [
  { receiverWallet: `0x${'11'.repeat(20)}`, receiverPercent: 100, recipientId: 'rp_shop0001', liable: true },
]
const FAILED = ['started', 'payment_registered', 'payment_failed', 'past_due']

const pastDue = async () => {
  const subscription = await harness.subscriptionDue({ retryCount: 0 }, CARDS.refusedOnFile, { splitPaymentConfig })
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', nextPaymentAt: null })
  return subscription
}
const cancel = ({ id }: Payment) => cancelPayment(deps, tenant, { id })

/** Too little has come to a payment's address in time. */
async function underpay({ tenantId, id }: Payment): Promise<void> {
  const dataError = paymentFailure(UNDERPAID, 'Less has come than is due.')
  for (const change of [{ status: 'pending' }, { status: 'error', receivedAmount: '5', dataError }] as const) {
    const sent = { change, cause: UNDERPAID, notify: true } as const
    await deps.payments.change(tenantId, id, () => Promise.resolve(sent))
  }
}

/** What came to a payment's address is given back. */
async function giveBack({ tenantId, id }: Payment): Promise<void> {
  const dataError = paymentFailure(REFUNDED, 'What came was given back to the payer.')
  const given = { change: { dataError }, cause: 'deposit_given_back', notify: true } as const
  await deps.payments.change(tenantId, id, () => Promise.resolve(given))
}

async function refundByPix(payment: Payment): Promise<void> {
  const charged = await startPix(harness, payment)
  await payAndProcess(harness, (await chargeOf(harness, charged)).reference)
  await orderRefund(harness, payment)
  await untilRefunded(harness, payment)
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: REFUNDED } })
}

/** Its charge is called expired; then one look shows that it was paid in time, and that the payer has got it back. */
async function refundedUnseen(payment: Payment): Promise<void> {
  const charged = await startPix(harness, payment)
  const horario = harness.clock.now().toISOString()
  await harness.goOn(16 * 60)
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'charge_expired' } })
  const endToEndId = await payCharge(harness, (await chargeOf(harness, charged)).reference, { horario })
  await harness.pixControl(`/pix/${endToEndId}/return`)
  await untilToldOf(harness, endToEndId, 2)
  await harness.runJobs()
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: REFUNDED } })
}

/** That it registers its next period, and takes no attempt of the one before for one of its own. */
async function expectGoesOn(subscription: Subscription, settled: Payment): Promise<void> {
  const orders = harness.processorOrders(settled)
  const after = await harness.subscriptionNow(subscription)
  expect(after).toMatchObject({ status: 'active', nextAttemptAt: null })
  await harness.goTo(after.nextPaymentAt)
  const [first, second, ...others] = await harness.periodPayments(subscription)
  expect(first?.id).toBe(settled.id)
  expect(harness.processorOrders(settled)).toBe(orders)
  expect(second && harness.processorOrders(second)).toBe(1)
  expect(others).toEqual([])
}

describe('a subscription that is past due for a period of which nothing is owed any more', () => {
  it.each([
    ['its payer has paid, and got back whole', refundByPix],
    ['its payer has paid, and got back whole before we knew', refundedUnseen],
    [
      'its payer has paid in part, and got that back',
      async (payment) => underpay(payment).then(() => giveBack(payment)),
    ],
    ['its tenant has canceled', cancel],
  ] as const satisfies readonly (readonly [string, (payment: Payment) => Promise<unknown>])[])(
    'goes on, and its tenant is told: of which %s',
    async (_what, settle) => {
      const subscription = await pastDue()
      const payment = await harness.lastPeriod(subscription)
      await harness.goOn(40 * DAY_SECONDS)
      await settle(payment)
      // What was missed meanwhile is left out.
      expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', skippedPeriods: 1 })
      expect(await harness.eventTypes(subscription)).toEqual([...FAILED, 'resumed'])
      await expectGoesOn(subscription, payment)
    },
  )

  it('waits for another period that can be paid', async () => {
    const subscription = await harness.subscriptionDue({ interval: 'weekly', retryCount: 8 }, CARDS.refusedOnFile)
    for (let day = 0; day < 20; day += 1) await harness.goOn(DAY_SECONDS)
    const [first, second, ...others] = await harness.periodPayments(subscription)
    if (!first || !second) throw new Error('there are no two periods')
    expect(others).toEqual([])
    await cancel(first)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due' })
    await cancel(second)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
  })
})

describe('a period of which nothing is owed any more', () => {
  it.each([
    ['was given back in part', async (payment: Payment) => underpay(payment).then(() => giveBack(payment))],
    ['was canceled', cancel],
  ])('is tried no more where it %s: that counts as no refusal', async (_what, settle) => {
    const subscription = await harness.subscriptionDue({ retryCount: 2 }, CARDS.refusedOnFile)
    const payment = await harness.lastPeriod(subscription)
    await settle(payment)
    for (let day = 0; day < 4; day += 1) await harness.goOn(DAY_SECONDS)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ refusals: 1 })
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'payment_registered', 'payment_failed'])
    await expectGoesOn(subscription, payment)
  })

  it('is settled by an attempt that finds it open, as an earlier release has left it', async () => {
    const subscription = await harness.subscriptionDue({ retryCount: 0 }, CARDS.refusedOnFile)
    const payment = await harness.lastPeriod(subscription)
    await cancel(payment)
    const { tenantId, id } = subscription
    await harness.query(`update payments.subscription_period set state = 'open' where subscription_id = $1`, [id])
    const { attempt = 0 } = (await deps.subscriptions.findPeriod(tenantId, id, 1)) ?? {}
    await chargePeriod(deps, { tenantId, subscriptionId: id, period: 1, attempt })
    expect(await deps.subscriptions.findPeriod(tenantId, id, 1)).toMatchObject({ state: 'paid', refusals: 1 })
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', refusals: 1 })
  })

  it('holds no attempt of a subscription that was paused meanwhile', async () => {
    const subscription = await harness.subscriptionDue({ retryCount: 2 }, CARDS.refusedOnFile)
    const payment = await harness.lastPeriod(subscription)
    await harness.pause(subscription)
    await harness.goOn(2 * DAY_SECONDS)
    await cancel(payment)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'paused' })
    expect(await harness.resume(subscription)).toMatchObject({ status: 'active', nextAttemptAt: null })
    await expectGoesOn(subscription, payment)
  })

  it('is not the first after a trial that was canceled: who has only tried is asked for nothing more', async () => {
    const orderCode = harness.subscriptionOrder({ charge: false }, { splitPaymentConfig })
    const subscription = await startTrial(deps, tenant, { orderCode, payerEmail: 'ana@example.com', trialDays: 7 })
    await cancel(await harness.lastPeriod(subscription))
    await harness.goTo(subscription.nextPaymentAt)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due' })
    expect(await harness.periodPayments(subscription)).toHaveLength(1)
  })
})
