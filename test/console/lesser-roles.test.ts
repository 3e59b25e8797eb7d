import { describe, expect, it } from 'vitest'
import { newMember, type ConsoleBrowser } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'
import { cardTerms } from '../harness/rest-cards.js'

const harness = await startHarness()
const { tenant } = harness

/** What says where a tenant's money goes; `$id` is an order's. */
const ORDER_ACTS = {
  updateOrder: 'updateOrder(id: $id, input: { splitPaymentConfig: [{ receiverWallet: "mine" }] }) { errors { code } }',
  deactivateOrder: 'deactivateOrder(id: $id) { errors { code } }',
  activateOrder: 'activateOrder(id: $id) { errors { code } }',
  deleteOrder: 'deleteOrder(id: $id) { errors { code } }',
}
const REFUND = 'refundPayment(id: $id, input: { amount: "1" }) { errors { code } }'

const DONE = /"errors":\[\]/

/** @returns the code of a mutation's error, or its answer */
async function act(browser: ConsoleBrowser, field: string, id: string): Promise<string> {
  const { text } = await browser.graphql(`mutation ($id: ID!) { ${field} }`, { id })
  return /"code":"(\w+)"/.exec(text)?.[1] ?? text
}

let count = 0
/** Two owners, and the id of the second. */
async function twoOwners() {
  const email = `lesser${(count += 1)}@console.example`
  const owner = await newMember(harness, 'owner')
  const other = await newMember(harness, 'owner', email)
  const { body } = await owner.graphql('{ people { id email } }')
  const people = body.data?.['people'] as { id: string; email: string }[]
  const id = people.find((person) => person.email === email)?.id ?? 'nobody'
  return { owner, other, id }
}

/** An order, and a payment of it that a card has paid. */
async function sold(): Promise<{ order: string; payment: string }> {
  const order = await tenant.createOrder(cardTerms(['rp_shop0001', 'rp_partner2']))
  return { order, payment: await tenant.payByCard(order) }
}

const orderOf = async (id: string): Promise<unknown> => (await tenant.get(`/order/list/${id}`)).body.data

describe('an owner who gets another role, or is removed', () => {
  it('could change orders and give money back before', async () => {
    const { other } = await twoOwners()
    const { order, payment } = await sold()
    expect(await act(other, REFUND, payment)).toMatch(DONE)
    for (const [name, field] of Object.entries(ORDER_ACTS))
      expect([name, await act(other, field, order)]).toEqual([name, expect.stringMatching(DONE)])
  })

  it.each(['removePerson(id: $id)', 'changePersonRole(id: $id, role: VIEWER)'])(
    'does neither from that moment on, though the gateway does not know yet: %s',
    async (change) => {
      const { owner, other, id } = await twoOwners()
      const { order, payment } = await sold()
      const before = await orderOf(order)
      expect((await other.graphql('{ account { id } }')).body.data?.['account']).not.toBeNull()
      expect(await act(owner, `${change} { errors { code } }`, id)).toMatch(DONE)
      for (const [name, field] of Object.entries(ORDER_ACTS))
        expect([name, await act(other, field, order)]).toEqual([name, 'PERMISSION_DENIED'])
      expect(await act(other, REFUND, payment)).toBe('PERMISSION_DENIED')
      expect(await orderOf(order)).toEqual(before)
      expect((await tenant.get(`/payment/${payment}/refunds`)).body.data).toMatchObject({ refunds: [] })
    },
  )
})
