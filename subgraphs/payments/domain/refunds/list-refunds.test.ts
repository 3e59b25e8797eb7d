import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { cardPayment, changeCharge, chargeIdOf, payByCard } from '../../fixtures/card-payments.js'
import { paidPayment, presentOf, untilToldOf } from '../../fixtures/pix-payments.js'
import { orderRefund, refundsOf, untilRefunded } from '../../fixtures/refunds.js'
import type { Payment } from '../../store/payment.entity.js'
import { reconcile } from '../reconciliation/reconcile-jobs.js'
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

const disputesOf = async ({ id }: Payment) =>
  (await listDisputes(deps, tenant, { first: 100 })).edges
    .map(({ node }) => node)
    .filter(({ paymentId }) => paymentId === id)

const causesOf = async ({ id }: Payment): Promise<unknown[]> =>
  (await harness.query('select cause from payments.payment_event where payment_id = $1 order by sequence', [id])).map(
    ({ cause }) => cause,
  )

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
    const foreign = { first: 100, after: Buffer.from(`refund:${first}`).toString('base64url') }
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
    const [edge] = (await listDisputes(deps, tenant, { first: 100 })).edges
    expect((await listDisputes(deps, stranger, { first: 100, after: edge?.cursor })).edges).toEqual([])
  })

  it('are won where the processor shows the money again', async () => {
    const payment = await paidByCard()
    await changeCharge(harness, payment, 'chargeback')
    await harness.advance(45 * 86_400)
    await harness.cardControl(`/charges/${chargeIdOf(payment)}/win`)
    // The processor tells nobody of it.
    await reconcile(deps, { rail: 'card' })
    await harness.runJobs()
    const [dispute] = await disputesOf(payment)
    expect(dispute).toMatchObject({ status: 'won', amount: payment.amountFrom, reason: 'chargeback' })
    expect(dispute?.updatedAt.getTime()).toBeGreaterThan(dispute?.createdAt.getTime() ?? Infinity)
    expect(await causesOf(payment)).toEqual(expect.arrayContaining(['receipt_taken_back', 'chargeback_won']))
  })

  it.each([
    ['settle', 'taken_back', 'receipt_taken_back'],
    ['refuse', 'won', 'chargeback_won'],
  ] as const)('are pending until a special return of Pix is decided: %s makes it %s', async (mode, status, cause) => {
    const { payment, endToEndId } = await paidPayment(harness)
    await harness.pixControl(`/pix/${endToEndId}/med`, { held: true })
    await untilToldOf(harness, endToEndId, 2)
    await harness.runJobs()
    expect(await disputesOf(payment)).toMatchObject([{ status: 'pending', reason: 'MED_FRAUDE' }])
    expect((await presentOf(harness, payment)).dataError).toBeNull()
    expect(await harness.deps.payouts.findAll(payment)).toMatchObject([
      { state: 'held', holdReason: 'partly_taken_back' },
    ])
    await harness.pixControl('/returns', { mode })
    await untilToldOf(harness, endToEndId, 3)
    await harness.runJobs()
    expect(await disputesOf(payment)).toMatchObject([{ status }])
    expect((await causesOf(payment)).at(-1)).toBe(cause)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    await harness.pixControl('/returns', { mode: 'settle' })
  })

  it.each(['', 'x', '[]', '["pix","a"]', '["pix",1,"b"]', '{"rail":"pix"}', '["pix","a\\u0000","b"]'])(
    'are not read behind what is no cursor of theirs: %s',
    async (text) => {
      const after = Buffer.from(text).toString('base64url')
      await expect(listDisputes(deps, tenant, { after })).rejects.toMatchObject({ code: 'validation_error' })
    },
  )
})
