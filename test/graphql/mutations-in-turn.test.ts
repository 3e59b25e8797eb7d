import { expect, it } from 'vitest'
import { startHarness } from '../harness/harness.js'
import { cardTerms } from '../harness/rest-cards.js'

const harness = await startHarness()
const { tenant } = harness

const REFUND_TWICE = `mutation ($id: ID!) {
  first: refundPayment(id: $id, input: { amount: "1" }) { ...Shown }
  second: refundPayment(id: $id, input: { amount: "2" }) { ...Shown }
}
fragment Shown on RefundPaymentPayload {
  errors { code }
  refund { payment { refunds { amount } history(first: 100) { sequence } sequence } }
}`

it('what a mutation shows was read after it, though one before it in the document has shown the same', async () => {
  const payment = await tenant.payByCard(await tenant.createOrder(cardTerms(['rp_shop0001'])))
  const { body } = await harness.graphql(REFUND_TWICE, { id: payment }, { as: tenant })
  const { data } = body as unknown as {
    data: Record<
      'first' | 'second',
      { refund: { payment: { refunds: { amount: string }[]; history: { sequence: number }[]; sequence: number } } }
    >
  }
  const [before, after] = [data.first.refund.payment, data.second.refund.payment]
  expect(before.refunds.map(({ amount }) => amount)).toEqual(['1'])
  expect(after.refunds.map(({ amount }) => amount).toSorted()).toEqual(['1', '2'])
  expect(after.sequence).toBeGreaterThan(before.sequence)
  // The settlement goes on beside the document: an entry may be written between the reads of its two fields.
  expect(after.history.at(-1)?.sequence).toBeGreaterThanOrEqual(after.sequence)
})
