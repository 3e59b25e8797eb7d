import { describe, expect, it } from 'vitest'
import type { Scope } from '../../kernel/permissions.js'
import { startHarness } from '../harness/harness.js'
import { cardTerms } from '../harness/rest-cards.js'

const harness = await startHarness()
const { tenant } = harness
const keyWith = async (...scopes: Scope[]): Promise<string> =>
  (await harness.dashboard.newKey(tenant, { expiresAt: null, scopes })).key

const order = await tenant.createOrder(cardTerms(['rp_shop0001']))
const before = await tenant.payByCard(order)

interface Answered {
  data: Record<string, unknown>
  errors?: { path: (string | number)[]; extensions: { code: string } }[]
}
async function ask(query: string, id: string, as: string): Promise<Answered> {
  return (await harness.graphql(query, { id }, { as })).body as unknown as Answered
}
/** Where an answer lacks what the key may not read. */
const deniedIn = ({ errors = [] }: Answered): string[] =>
  errors.map(({ path, extensions }) => `${extensions.code} ${path.join('.')}`)

const PAYMENTS = 'payments(first: 100) { edges { node { id payerEmail } } }'
const REGISTER = `mutation ($id: ID!) { registerCheckoutPayment(input: { orderCode: $id }) { errors { code } payment {
  status order { id ${PAYMENTS} subscriptions { edges { node { id } } } } refunds { id } } } }`
const REFUND = `mutation ($id: ID!) { refundPayment(id: $id, input: { amount: "1" }) { errors { code } refund {
  amount payment { id payerEmail } } } }`

describe('a key that may write payments and not read them', () => {
  it('sees the payment that it registered, and no other of the order', async () => {
    const answer = await ask(REGISTER, order, await keyWith('payments:write'))
    const payment = { status: 'REGISTERED', order: { id: order, payments: null, subscriptions: null }, refunds: null }
    expect(answer.data).toEqual({ registerCheckoutPayment: { errors: [], payment } })
    const at = 'PERMISSION_DENIED registerCheckoutPayment.payment'
    expect(deniedIn(answer).toSorted()).toEqual([`${at}.order.payments`, `${at}.order.subscriptions`, `${at}.refunds`])
  })

  it('sees of its order what a key for orders does', async () => {
    const query = `mutation ($id: ID!) { registerCheckoutPayment(input: { orderCode: $id }) { payment { order { active } } } }`
    const answer = await ask(query, order, await keyWith('payments:write', 'orders:read'))
    expect(answer).toMatchObject({ data: { registerCheckoutPayment: { payment: { order: { active: true } } } } })
    expect(answer.errors).toBeUndefined()
  })

  it('is answered over REST as a key without scopes is', async () => {
    const body = { order_code: order }
    const shapeOf = async (as: string | typeof tenant) => {
      const answer = await harness.rest('POST', '/payment/register/intents-create-order', { as, body })
      return [answer.status, Object.keys((answer.body as unknown as { data: object }).data)]
    }
    expect(await shapeOf(await keyWith('payments:write'))).toEqual(await shapeOf(tenant))
  })
})

describe('a key that may refund and not read payments', () => {
  it('sees the refund that it made, and nothing of the payer', async () => {
    const answer = await ask(REFUND, before, await keyWith('refunds:write'))
    expect(answer.data).toEqual({ refundPayment: { errors: [], refund: { amount: '1', payment: null } } })
    expect(deniedIn(answer)).toEqual(['PERMISSION_DENIED refundPayment.refund.payment'])
  })

  it('sees the payment too where it may read payments', async () => {
    const answer = await ask(REFUND, before, await keyWith('refunds:write', 'payments:read'))
    expect(answer).toMatchObject({ data: { refundPayment: { refund: { payment: { id: before } } } } })
    expect(answer.errors).toBeUndefined()
  })
})

it('a key that may read orders finds one by its id alone, and no payment on the way', async () => {
  const query = `query ($id: ID!) { node(id: $id) { id ... on Order { active ${PAYMENTS} } } }`
  const answer = await ask(query, order, await keyWith('orders:read'))
  expect(answer.data).toEqual({ node: { id: order, active: true, payments: null } })
  expect(deniedIn(answer)).toEqual(['PERMISSION_DENIED node.payments'])
})
