import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { cardPayment, changeCharge, payByCard } from '../../fixtures/card-payments.js'
import { orderRefund, refundsOf, untilRefunded } from '../../fixtures/refunds.js'
import type { Payment } from '../../store/payment.entity.js'
import { listDisputes } from './list-disputes.js'
import { listRefunds } from './list-refunds.js'

const harness = await startPaymentsHarness()
const { deps, tenant } = harness
const stranger = { ...tenant, id: 'another' }
const AMOUNT = '10.00'

const paidByCard = async (): Promise<Payment> => payByCard(harness, await cardPayment(harness))

/** All of a list, asked for one at a time. */
async function oneByOne<Node>(
  list: (page: { first: number; after: string | null }) => Promise<{
    edges: { node: Node }[]
    pageInfo: { hasNextPage: boolean; endCursor: string | null }
  }>,
): Promise<Node[]> {
  const nodes: Node[] = []
  let after: string | null = null
  do {
    const page = await list({ first: 1, after })
    nodes.push(...page.edges.map(({ node }) => node))
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
  } while (after !== null)
  return nodes
}

describe('the refunds of a tenant', () => {
  it('are listed over all payments, newest first, a page at a time, and to no other tenant', async () => {
    const payments = [await paidByCard(), await paidByCard()]
    const made: string[] = []
    for (const payment of [...payments, ...payments]) {
      const { id } = await orderRefund(harness, payment, { amount: AMOUNT })
      await untilRefunded(harness, payment)
      made.unshift(id)
    }
    const found = await oneByOne((page) => listRefunds(deps, tenant, page))
    expect(found.map(({ id }) => id)).toEqual(made)
    expect(found).toEqual(
      (await Promise.all(payments.map((payment) => refundsOf(harness, payment))))
        .flat()
        .toSorted((one, other) => made.indexOf(one.id) - made.indexOf(other.id)),
    )
    const [first = ''] = made
    const foreign = { first: 100, after: Buffer.from(first).toString('base64url') }
    expect((await listRefunds(deps, stranger, { first: 100 })).edges).toEqual([])
    expect((await listRefunds(deps, stranger, foreign)).edges).toEqual([])
  })
})

describe('the disputes of a tenant', () => {
  it('are what was taken back without an order, with where each stands, and no refund', async () => {
    const payments = [await paidByCard(), await paidByCard()]
    for (const payment of payments) await changeCharge(harness, payment, 'chargeback')
    const found = await oneByOne((page) => listDisputes(deps, tenant, page))
    expect(found.map(({ paymentId }) => paymentId)).toEqual(payments.map(({ id }) => id).toReversed())
    expect(new Set(found.map(({ id }) => id)).size).toBe(payments.length)
    const [amount, currency] = [payments[0]?.amountFrom, payments[0]?.fromCurrencySymbol]
    expect(found).toMatchObject(payments.map(() => ({ amount, currency, status: 'taken_back', reason: 'chargeback' })))
    expect((await listRefunds(deps, tenant, { first: 100 })).edges.map(({ node }) => node.paymentId)).not.toContain(
      payments[0]?.id,
    )
    expect((await listDisputes(deps, stranger, { first: 100, after: found[0]?.id })).edges).toEqual([])
  })

  it.each(['', 'x', '[]', '["pix","a"]', '["pix",1,"b"]', '{"rail":"pix"}', '["pix","a\\u0000","b"]'])(
    'are not read behind what is no cursor of theirs: %s',
    async (text) => {
      const after = Buffer.from(text).toString('base64url')
      await expect(listDisputes(deps, tenant, { after })).rejects.toMatchObject({ code: 'validation_error' })
    },
  )
})
