import { expect, it } from 'vitest'
import { cardData, cardPayment, payByCard } from '../fixtures/card-payments.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { cardIdOf, paySubscription, processorOrders, subscriptionOrder } from '../fixtures/subscriptions.js'

const harness = await startPaymentsHarness()

it('a card on file is charged for nobody who knows its id', async () => {
  const { payment } = await paySubscription(harness, subscriptionOrder(harness))
  const other = await cardPayment(harness)
  const byId = {
    payerIp: '203.0.113.7',
    sessionId: 'session-1',
    cardData: cardData('', { card: null, cardToken: await cardIdOf(harness, payment) }),
  }
  await expect(payByCard(harness, other, byId)).rejects.toMatchObject({ errors: [{ field: 'cardData.cardToken' }] })
  expect(processorOrders(harness, other)).toBe(0)
})
