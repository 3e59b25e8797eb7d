import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { cardPayment, payByCard } from '../fixtures/card-payments.js'
import { runLedger } from '../fixtures/run-ledger.js'
import {
  eventTypes,
  goTo,
  paySubscription,
  periodPayments,
  processorOrders,
  subscriptionNow,
  subscriptionOrder,
} from '../fixtures/subscriptions.js'
import { cancelSubscription } from './cancel-subscription.js'

const harness = await startPaymentsHarness()

async function setLimits(...limits: string[]): Promise<void> {
  const args = ['limits', '--tenant', harness.tenant.id, '--currency', 'BRL', ...limits]
  expect(await runLedger(harness, ...args)).toBe(0)
}
/** Its later periods would be counted with those of others. */
async function end({ id }: { id: string }): Promise<void> {
  await cancelSubscription(harness.deps, harness.tenant, { id })
  await setLimits()
}
const refusedBecause = (details: string) => ({
  status: 'error',
  dataError: expect.objectContaining({ code: 'payment_limit_exceeded', details }) as unknown,
})
const alertsAbout = async (id: string) =>
  (await harness.deps.alerts.list()).filter(({ kind, subject }) => kind === 'renewal_refused' && subject === id)

describe('the renewal of a subscription above a limit', () => {
  it('is refused before anything is charged, says why to tenant and operator, and is paid once the limit allows it', async () => {
    await setLimits()
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness, { retryCount: 2 }))
    await setLimits('--per-payment', '50')
    await goTo(harness, subscription.nextPaymentAt)
    const [payment] = await periodPayments(harness, subscription)
    if (!payment) throw new Error('no period was registered')
    expect(payment).toMatchObject(refusedBecause('per payment: 50 BRL'))
    expect(processorOrders(harness, payment)).toBe(0)
    expect(await alertsAbout(payment.id)).toMatchObject([{ details: 'per payment: 50 BRL' }])
    const refused = await subscriptionNow(harness, subscription)
    expect(refused).toMatchObject({ status: 'active', refusals: 1 })
    await setLimits('--per-payment', '500')
    await goTo(harness, refused.nextAttemptAt)
    expect(await periodPayments(harness, subscription)).toMatchObject([{ id: payment.id, status: 'success' }])
    expect(processorOrders(harness, payment)).toBe(1)
    const events = ['started', 'payment_registered', 'payment_failed', 'renewed']
    expect(await eventTypes(harness, subscription)).toEqual(events)
    expect(await alertsAbout(payment.id)).toEqual([])
    await end(subscription)
  })

  it('counts what its payer has paid otherwise by the same tax id, also where nothing was limited when it began', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness))
    await setLimits('--per-payer-day', '150')
    const moment = subscription.nextPaymentAt
    if (!moment) throw new Error('no period is planned')
    await harness.advance(Math.floor((moment.getTime() - harness.clock.now().getTime()) / 1000) - 3_600)
    const other = await cardPayment(harness, { amountFrom: '60' })
    await payByCard(harness, other, { payerEmail: 'another@example.com' })
    await goTo(harness, moment)
    expect(await periodPayments(harness, subscription)).toMatchObject([
      refusedBecause('per payer in 24 hours: 150 BRL'),
    ])
    const refused = await subscriptionNow(harness, subscription)
    await goTo(harness, refused.nextAttemptAt)
    expect(await periodPayments(harness, subscription)).toMatchObject([{ status: 'success' }])
    await end(subscription)
  })

  it('is past due after the last try', async () => {
    const { subscription } = await paySubscription(harness, subscriptionOrder(harness, { retryCount: 1 }))
    await setLimits('--per-tenant-day', '99')
    await goTo(harness, subscription.nextPaymentAt)
    await goTo(harness, (await subscriptionNow(harness, subscription)).nextAttemptAt)
    expect(await subscriptionNow(harness, subscription)).toMatchObject({ status: 'past_due', refusals: 2 })
    const [payment] = await periodPayments(harness, subscription)
    expect(payment).toMatchObject(refusedBecause('per account in 24 hours: 99 BRL'))
    expect(payment && processorOrders(harness, payment)).toBe(0)
  })
})
