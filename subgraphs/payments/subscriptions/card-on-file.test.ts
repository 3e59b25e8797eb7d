import { afterAll, beforeAll, expect, it } from 'vitest'
import { cardData, cardPayment, payByCard } from '../fixtures/card-payments.js'
import { startPaymentsWorld, type PaymentsWorld } from '../fixtures/payments-world.js'
import { cardIdOf, paySubscription, processorOrders, subscriptionOrder } from '../fixtures/subscriptions.js'

let world: PaymentsWorld
beforeAll(async () => {
  world = await startPaymentsWorld()
})
afterAll(() => world.close())

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
