import { expect, it } from 'vitest'
import { cardData, cardPayment, payByCard } from '../fixtures/card-payments.js'
import { startSubscriptionHarness } from '../fixtures/subscriptions.js'

const harness = await startSubscriptionHarness()

it('a card on file is charged for nobody who knows its id', async () => {
  const { payment } = await harness.subscribe()
  const other = await cardPayment(harness)
  const byId = {
    payerIp: '203.0.113.7',
    sessionId: 'session-1',
    cardData: cardData('', { card: null, cardToken: await harness.cardIdOf(payment) }),
  }
  const refused = { status: 'error', dataError: { code: 'card_token_invalid' } }
  expect(await payByCard(harness, other, byId)).toMatchObject(refused)
  expect(harness.processorOrders(other)).toBe(0)
})
