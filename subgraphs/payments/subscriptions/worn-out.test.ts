import { expect, it } from 'vitest'
import { CARDS } from '../../../sandbox/demo/card-payer.js'
import { payByCard } from '../fixtures/card-payments.js'
import { DAY_SECONDS, startSubscriptionHarness } from '../fixtures/subscriptions.js'

const harness = await startSubscriptionHarness()

it('a period whose card was tried however often can be paid by its payer', async () => {
  const subscription = await harness.subscriptionDue({ interval: 'yearly', retryCount: 50 }, CARDS.refusedOnFile)
  for (let day = 0; day < 51; day += 1) await harness.goOn(DAY_SECONDS)
  const payment = await harness.lastPeriod(subscription)
  expect(payment.sequence).toBeGreaterThan(100)
  expect(await harness.subscriptionNow(subscription)).toMatchObject({ status: 'past_due', refusals: 51 })
  expect(await payByCard(harness, payment)).toMatchObject({ status: 'success' })
})

it('a payer’s own tries of a period end', async () => {
  const subscription = await harness.subscriptionDue({ retryCount: 0 }, CARDS.refusedOnFile)
  const payment = await harness.lastPeriod(subscription)
  const tries = async () => {
    for (let time = 0; time < 100; time += 1) await payByCard(harness, payment, {}, CARDS.refused)
  }
  await expect(tries()).rejects.toMatchObject({ code: 'payment_already_processed' })
})
