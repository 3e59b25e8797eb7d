import { expect, it } from 'vitest'
import { cardData, cardPayment, payByCard } from '../fixtures/card-payments.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { cardIdOf, paySubscription, processorOrders, subscriptionOrder } from '../fixtures/subscriptions.js'

const world = await startPaymentsHarness()

it('a card on file is charged for nobody who knows its id', async () => {
  const { payment } = await paySubscription(world, subscriptionOrder(world))
  const other = await cardPayment(world)
  const byId = {
    payerIp: '203.0.113.7',
    sessionId: 'session-1',
    cardData: cardData('', { card: null, cardToken: await cardIdOf(world, payment) }),
  }
  await expect(payByCard(world, other, byId)).rejects.toMatchObject({ errors: [{ field: 'cardData.cardToken' }] })
  expect(processorOrders(world, other)).toBe(0)
})
