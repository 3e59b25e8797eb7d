import { describe, expect, it } from 'vitest'
import { cardPayment, payByCard } from '../fixtures/card-payments.js'
import { runLedger } from '../fixtures/run-ledger.js'
import { startSubscriptionHarness } from '../fixtures/subscriptions.js'

const harness = await startSubscriptionHarness()

async function setLimits(...limits: string[]): Promise<void> {
  const args = ['limits', '--tenant', harness.tenant.id, '--currency', 'BRL', ...limits]
  expect(await runLedger(harness, ...args)).toBe(0)
}
/** Its later periods would be counted with those of others. */
async function end({ id }: { id: string }): Promise<void> {
  await harness.cancel({ id })
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
    const { subscription } = await harness.subscribe({ retryCount: 2 })
    await setLimits('--per-payment', '50')
    await harness.goTo(subscription.nextPaymentAt)
    const payment = await harness.lastPeriod(subscription)
    expect(payment).toMatchObject(refusedBecause('per payment: 50 BRL'))
    expect(harness.processorOrders(payment)).toBe(0)
    expect(await alertsAbout(payment.id)).toMatchObject([{ details: 'per payment: 50 BRL' }])
    const refused = await harness.subscriptionNow(subscription)
    expect(refused).toMatchObject({ status: 'active', refusals: 1 })
    await setLimits('--per-payment', '500')
    await harness.goTo(refused.nextAttemptAt)
    expect(await harness.periodPayments(subscription)).toMatchObject([{ id: payment.id, status: 'success' }])
    expect(harness.processorOrders(payment)).toBe(1)
    const events = ['started', 'payment_registered', 'payment_failed', 'renewed']
    expect(await harness.eventTypes(subscription)).toEqual(events)
    expect(await alertsAbout(payment.id)).toEqual([])
    await end(subscription)
  })

  it('counts what its payer has paid otherwise by the same tax id, also where nothing was limited when it began', async () => {
    const { subscription } = await harness.subscribe()
    await setLimits('--per-payer-day', '150')
    const moment = subscription.nextPaymentAt
    if (!moment) throw new Error('no period is planned')
    await harness.advance(Math.floor((moment.getTime() - harness.clock.now().getTime()) / 1000) - 3_600)
    const other = await cardPayment(harness, { amountFrom: '60' })
    await payByCard(harness, other, { payerEmail: 'another@example.com' })
    await harness.goTo(moment)
    expect(await harness.periodPayments(subscription)).toMatchObject([refusedBecause('per payer in 24 hours: 150 BRL')])
    const refused = await harness.subscriptionNow(subscription)
    await harness.goTo(refused.nextAttemptAt)
    expect(await harness.periodPayments(subscription)).toMatchObject([{ status: 'success' }])
    await end(subscription)
  })

  it('is past due after the last try', async () => {
    const { subscription } = await harness.subscribe({ retryCount: 1 })
    await setLimits('--per-tenant-day', '99')
    await harness.goTo(subscription.nextPaymentAt)
    await harness.goTo((await harness.subscriptionNow(subscription)).nextAttemptAt)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', refusals: 2 })
    const payment = await harness.lastPeriod(subscription)
    expect(payment).toMatchObject(refusedBecause('per account in 24 hours: 99 BRL'))
    expect(harness.processorOrders(payment)).toBe(0)
  })
})
