import { describe, expect, it } from 'vitest'
import { keptMails } from '../fixtures/kept-mails.js'
import { payByCard } from '../fixtures/card-payments.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../fixtures/subscriptions.js'
import { listSubscriptionPayments } from './list-subscription-payments.js'
import { startTrial, type StartTrialInput } from './start-trial.js'

const { sent, mails } = keptMails({ pastDueDays: 0 })
const harness = await startSubscriptionHarness({ mails })
const { deps, tenant } = harness

let payers = 0
const start = (input: Partial<StartTrialInput> = {}) =>
  startTrial(deps, tenant, {
    orderCode: harness.subscriptionOrder({ charge: false }),
    payerEmail: `tries${(payers += 1)}@example.com`,
    trialDays: 14,
    ...input,
  })
const mailsTo = (email: string) => sent.filter(({ to }) => to === email)

describe('a trial', () => {
  it('asks for nothing until it ends, then its payer by e-mail, and goes on once he has paid', async () => {
    const subscription = await start({ payerEmail: 'ana@example.com' })
    const [payment, ...others] = await harness.periodPayments(subscription)
    expect(others).toEqual([])
    expect(payment).toMatchObject({ status: 'registered', amountFrom: '100', payerEmail: 'ana@example.com' })
    await harness.goOn(13 * DAY_SECONDS)
    expect(mailsTo('ana@example.com')).toEqual([])
    await harness.goTo(subscription.trialEndsAt)
    expect(mailsTo('ana@example.com')).toHaveLength(1)
    expect(mailsTo('ana@example.com')[0]?.subject).toBe('O seu período de teste terminou: assinatura Gold')
    const shown = await listSubscriptionPayments(deps, subscription, { first: 10 })
    expect([shown.edges.map(({ node }) => node.id), await shown.count()]).toEqual([
      [payment?.id],
      { value: 1, isExact: true },
    ])
    if (payment) await payByCard(harness, payment)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', nextPeriod: 1 })
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'renewed'])
    await harness.goTo((await harness.subscriptionNow(subscription)).nextPaymentAt)
    expect(await harness.periodPayments(subscription)).toHaveLength(2)
    expect(mailsTo('ana@example.com')).toHaveLength(2)
  })

  it('that nobody pays is past due at the next due date, asks for no second period, and can still be paid', async () => {
    const subscription = await start()
    await harness.goTo(subscription.nextPaymentAt)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', nextPaymentAt: null })
    const payments = await harness.periodPayments(subscription)
    expect(payments).toHaveLength(1)
    for (const payment of payments) await payByCard(harness, payment)
    expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active' })
    expect(await harness.eventTypes(subscription)).toEqual(['started', 'past_due', 'renewed'])
  })

  it('is one for a payer and an order, however often and at once it is started, in any writing of the address', async () => {
    const orderCode = harness.subscriptionOrder({ charge: false })
    const payerEmail = 'Bia@example.com'
    const all = await Promise.all([1, 2, 3, 4].map(() => start({ orderCode, payerEmail })))
    const again = await start({ orderCode, payerEmail: ' bia@EXAMPLE.com ' })
    expect(new Set([...all, again].map(({ id }) => id)).size).toBe(1)
    expect(await start({ payerEmail })).not.toMatchObject({ id: again.id })
    await harness.cancel(again)
    await expect(start({ orderCode, payerEmail })).rejects.toMatchObject({ errors: [{ field: 'payerEmail' }] })
    await harness.goTo(again.trialEndsAt)
    expect(mailsTo(payerEmail).filter(({ messageName }) => messageName?.includes(again.id))).toEqual([])
  })

  it('is refused with the field that is wrong, and leaves nothing', async () => {
    const before = await harness.query('select count(*)::int as n from payments.payment')
    for (const trialDays of [0, 731]) {
      await expect(start({ trialDays })).rejects.toMatchObject({ errors: [{ field: 'trialDays' }] })
    }
    const direct = harness.subscriptionOrder()
    harness.changeOrder({ orderCode: direct }, { gatewayMethod: 'DIRECT', subscriptionPaymentConfig: null })
    await expect(start({ orderCode: direct })).rejects.toMatchObject({ errors: [{ field: 'orderCode' }] })
    const off = harness.subscriptionOrder()
    harness.changeOrder({ orderCode: off }, { active: false })
    await expect(start({ orderCode: off })).rejects.toMatchObject({ code: 'order_inactive' })
    const silent = { ...deps, payerMails: undefined }
    const input = { orderCode: harness.subscriptionOrder(), payerEmail: 'caio@example.com', trialDays: 7 }
    await expect(startTrial(silent, tenant, input)).rejects.toMatchObject({ errors: [{ field: 'payerEmail' }] })
    expect(await harness.query('select count(*)::int as n from payments.payment')).toEqual(before)
  })
})
