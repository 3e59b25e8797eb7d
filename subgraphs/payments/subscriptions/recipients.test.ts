import { expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.js'
import { RECEIVERS } from '../../../test/harness/chains.js'
import { walletList } from '../../../test/harness/wallet-list.js'
import { loseJobs } from '../fixtures/rows.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../fixtures/subscriptions.js'
import { chargePeriod } from './charge-period.js'

const list = await walletList()
const harness = await startSubscriptionHarness({ screening: { listFile: list.path, oracles: {} } })

it('a period whose receivers the processor cannot pay charges nobody, and counts as refused', async () => {
  const { subscription } = await harness.subscribe()
  const splitPaymentConfig = [{ receiverWallet: '0x1111111111111111111111111111111111111111', receiverPercent: 100 }]
  harness.changeOrder(subscription, { splitPaymentConfig })
  await harness.goTo(subscription.nextPaymentAt)
  const payment = await harness.lastPeriod(subscription)
  expect(payment.status).toBe('registered')
  expect(harness.processorOrders(payment)).toBe(0)
  await harness.goTo((await harness.subscriptionNow(subscription)).nextAttemptAt)
  expect(harness.processorOrders(payment)).toBe(0)
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due' })
  expect((await harness.eventTypes(subscription)).at(-1)).toBe('past_due')
})

/** At its first due date, with a receiver whose wallet is on the list. */
async function listedAtDueDate(receiverWallet: string, retryCount: number) {
  const { subscription } = await harness.subscribe({ retryCount })
  const receiver = { receiverWallet, receiverPercent: 100, recipientId: 'rp_shop0001', liable: true }
  harness.changeOrder(subscription, { splitPaymentConfig: [receiver] })
  list.refuse(receiverWallet)
  await harness.goTo(subscription.nextPaymentAt)
  return { subscription, payment: await harness.lastPeriod(subscription) }
}
const alertsAbout = async (id: string) =>
  (await harness.deps.alerts.list()).filter(({ kind, subject }) => kind === 'renewal_refused' && subject === id)

it('a period of which a receiver’s wallet is refused charges nobody, tells tenant and operator each time, and counts as refused', async () => {
  const { subscription, payment } = await listedAtDueDate(RECEIVERS[0], 1)
  const because = { code: 'wallet_refused', details: 'the wallet of receiver 0' }
  expect(payment).toMatchObject({ status: 'error', dataError: because })
  const details = 'refused by the screening: the wallet of receiver 0'
  expect(await alertsAbout(payment.id)).toMatchObject([{ details, count: 1 }])
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', refusals: 1 })
  await harness.goTo((await harness.subscriptionNow(subscription)).nextAttemptAt)
  expect(harness.processorOrders(payment)).toBe(0)
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', refusals: 2 })
  expect((await harness.lastPeriod(subscription)).sequence).toBe(payment.sequence + 1)
  expect(await alertsAbout(payment.id)).toMatchObject([{ details, count: 2 }])
})

it('a period of which a wallet was refused is charged once it is not any more, and the operator’s alert closes', async () => {
  const { subscription, payment } = await listedAtDueDate(RECEIVERS[1], 1)
  expect(await alertsAbout(payment.id)).toHaveLength(1)
  const { tenantId, id: subscriptionId } = subscription
  const screen = { findRefused: () => Promise.resolve(new Set<string>()) }
  await chargePeriod({ ...harness.deps, screen }, { tenantId, subscriptionId, period: 1, attempt: 2 })
  expect(harness.processorOrders(payment)).toBe(1)
  expect(await harness.lastPeriod(subscription)).toMatchObject({ status: 'success' })
  expect(await alertsAbout(payment.id)).toEqual([])
})

it('a period charges nobody while nobody answers whether its receivers are refused, and that is no refusal', async () => {
  const subscribed = await harness.subscribe({ retryCount: 3 })
  const { subscription } = subscribed
  await harness.goRefused(subscribed)
  const payment = await harness.lastPeriod(subscription)
  await harness.advance(2 * DAY_SECONDS)
  await loseJobs(harness, 'charge-subscription:%')
  const { tenantId, id: subscriptionId } = subscription
  const job = { tenantId, subscriptionId, period: 1, attempt: 2 }
  const screen = { findRefused: () => Promise.reject(new AppError('provider_unavailable')) }
  const charged = chargePeriod({ ...harness.deps, screen }, job)
  await expect(charged).rejects.toMatchObject({ code: 'provider_unavailable' })
  expect(harness.processorOrders(payment)).toBe(1)
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'active', refusals: 1 })
  await chargePeriod(harness.deps, job)
  expect(harness.processorOrders(payment)).toBe(2)
})
