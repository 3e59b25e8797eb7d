import { expect, it } from 'vitest'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { cardInput, payByCard } from '../fixtures/card-payments.js'
import { keptMails } from '../fixtures/kept-mails.js'
import { startSubscriptionHarness } from '../fixtures/subscriptions.js'
import { createTransaction } from '../domain/create-transaction.js'
import type { ChargeOrder } from '../rails/processor-adapter.js'
import type { Payment } from '../store/payment.entity.js'
import { startTrial } from './start-trial.js'

const { mails } = keptMails({ pastDueDays: 0 })
const harness = await startSubscriptionHarness({ mails })
const { deps, tenant } = harness

/** Pays by a card of the payer's own. Gives what issuers are told of it. */
async function recurrenceOf(payment: Payment): Promise<ChargeOrder['recurrence']> {
  const orders: ChargeOrder[] = []
  const rails = deps.rails.map((rail) => {
    if (!('adapter' in rail)) return rail
    const create = (order: ChargeOrder) => {
      orders.push(order)
      return rail.adapter.create(order)
    }
    return { ...rail, adapter: { ...rail.adapter, create } }
  })
  const paid = await createTransaction({ ...deps, rails }, tenant, cardInput(payment))
  expect(paid).toMatchObject({ status: 'success' })
  expect(orders).toHaveLength(1)
  return orders[0]?.recurrence
}

/** Whether a payment's card was kept. */
async function isCardKept({ id }: Payment): Promise<boolean> {
  const payment = await deps.payments.find(tenant.id, id)
  return (await deps.charges.find(tenant.id, payment?.chargeId ?? ''))?.cardOnFile != null
}

async function tried(charge: boolean) {
  const orderCode = harness.subscriptionOrder({ charge, retryCount: 0 })
  const subscription = await startTrial(deps, tenant, { orderCode, payerEmail: 'ana@example.com', trialDays: 7 })
  await harness.goTo(subscription.trialEndsAt)
  return { subscription, payment: await harness.lastPeriod(subscription) }
}

it('the card that is given after a trial is told to its issuer as the first of its agreement, and charged from then on', async () => {
  const { subscription, payment } = await tried(true)
  expect(await recurrenceOf(payment)).toBe('first')
  expect(await isCardKept(payment)).toBe(true)
  await harness.goTo((await harness.subscriptionNow(subscription)).nextPaymentAt)
  expect((await harness.periodPayments(subscription)).map(({ status }) => status)).toEqual(['success', 'success'])
})

it('the card that is given anew for a period that is past due is told as the first of its agreement', async () => {
  const subscription = await harness.subscriptionDue({ retryCount: 0 }, CARDS.refusedOnFile)
  const payment = await harness.lastPeriod(subscription)
  expect(await recurrenceOf(payment)).toBe('first')
  expect(await isCardKept(payment)).toBe(true)
})

it('a card that its subscription never charges is neither kept nor told as the first of an agreement', async () => {
  const { subscription, payment } = await tried(false)
  expect(await recurrenceOf(payment)).toBeUndefined()
  expect(await isCardKept(payment)).toBe(false)
  await harness.goTo((await harness.subscriptionNow(subscription)).nextPaymentAt)
  const later = await harness.lastPeriod(subscription)
  expect(later.id).not.toBe(payment.id)
  await payByCard(harness, later, { payerEmail: 'bia@example.com' })
  expect(await isCardKept(later)).toBe(false)
  // Who pays by himself is asked where he was the last time.
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ meansPaymentId: later.id })
})

it('a card that pays what a canceled subscription left open is not kept', async () => {
  const subscription = await harness.subscriptionDue({ retryCount: 0 }, CARDS.refusedOnFile)
  await harness.cancel(subscription)
  const payment = await harness.lastPeriod(subscription)
  expect(await recurrenceOf(payment)).toBeUndefined()
  expect(await isCardKept(payment)).toBe(false)
})
