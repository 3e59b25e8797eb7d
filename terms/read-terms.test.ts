import { expect, it } from 'vitest'
import { readTerms } from './graphql/read-terms.js'

it('terms of GraphQL have the numbers that the rules are about', () => {
  const receiver = { receiverWallet: 'a', recipientId: null }
  const subscription = { planName: 'Gold' }
  const sent = {
    amountFrom: '10.50',
    splitPaymentConfig: [{ ...receiver, receiverPercent: '33.3' }, null, receiver],
    subscriptionPaymentConfig: { ...subscription, nextPaymentAt: '2030-03-17T17:46:40.500Z' },
  }
  expect(readTerms(sent as never)).toEqual({
    amountFrom: '10.50',
    splitPaymentConfig: [{ ...receiver, receiverPercent: 33.3 }, null, receiver],
    subscriptionPaymentConfig: { ...subscription, nextPaymentAt: 1_900_000_000.5 },
  })
  const others = { splitPaymentConfig: null, subscriptionPaymentConfig: { ...subscription, nextPaymentAt: null } }
  expect(readTerms(others)).toEqual(others)
  expect(readTerms({})).toEqual({})
})
