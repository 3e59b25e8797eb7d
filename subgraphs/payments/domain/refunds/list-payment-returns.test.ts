import { describe, expect, it } from 'vitest'
import { statementsOf } from '../../../../test/harness/count-statements.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { readsOf } from '../../../../test/harness/reads-of.js'
import { chargedPayment, paidPayment, payAndProcess, startPix } from '../../fixtures/pix-payments.js'
import { orderRefund, untilRefunded } from '../../fixtures/refunds.js'
import type { PaymentReturn } from '../../model/payment-return.js'
import { requestLoaders } from '../../request-loaders.js'
import { LIST_RETURNS } from '../../store/payment-returns.js'
import { listDisputes } from './list-disputes.js'
import { listPaymentReturns } from './list-payment-returns.js'
import { listRefunds } from './list-refunds.js'

const harness = await startPaymentsHarness()
const { deps, tenant } = harness
const stranger = { ...tenant, id: 'another' }
const WHOLE: unknown = expect.stringMatching(/^100(\.00)?$/)

/** What came for a payment that was paid already. @returns its payment, and the provider's id of it */
async function paidTwice(): Promise<{ paymentId: string; receiptId: string }> {
  const { payment, txid } = await paidPayment(harness)
  return { paymentId: payment.id, receiptId: await payAndProcess(harness, txid, { again: true }) }
}

/** What came for a charge that was removed. */
async function paidLate(): Promise<{ paymentId: string; receiptId: string }> {
  const { payment, txid } = await chargedPayment(harness)
  await harness.pixControl(`/cob/${txid}/remove`)
  await startPix(harness, payment)
  return { paymentId: payment.id, receiptId: await payAndProcess(harness, txid) }
}

const all = async (): Promise<PaymentReturn[]> =>
  (await listPaymentReturns(deps, tenant, { first: 100 })).edges.map(({ node }) => node)

/** Lets jobs run until all has gone back. */
async function untilBack(): Promise<PaymentReturn[]> {
  for (let second = 0; second < 60; second += 1) {
    const found = await all()
    if (found.length > 0 && found.every(({ status }) => status !== 'pending')) return found
    await harness.goOn(1)
  }
  throw new Error('it does not go back')
}

describe('what came for payments, was not taken and goes back', () => {
  it('is listed over all payments, newest first, a page at a time, and to no other tenant', async () => {
    const came = [await paidLate(), await paidTwice()]
    const found = await untilBack()
    expect(found).toMatchObject([
      { ...came[1], reason: 'paid_twice', status: 'succeeded', amount: WHOLE, currency: 'BRL' },
      { ...came[0], reason: 'paid_late', status: 'succeeded', amount: WHOLE, currency: 'BRL' },
    ])
    expect(found.every(({ reference, updatedAt, createdAt }) => reference !== null && updatedAt >= createdAt)).toBe(
      true,
    )
    const first = await listPaymentReturns(deps, tenant, { first: 1 })
    const second = await listPaymentReturns(deps, tenant, { first: 1, after: first.pageInfo.endCursor })
    expect([...first.edges, ...second.edges].map(({ node }) => node.id)).toEqual(found.map(({ id }) => id))
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false])
    const after = first.pageInfo.endCursor
    expect((await listPaymentReturns(deps, stranger, { first: 100 })).edges).toEqual([])
    expect((await listPaymentReturns(deps, stranger, { first: 100, after })).edges).toEqual([])
  })

  it('is no refund and no dispute, nor is any of these among it', async () => {
    const { paymentId } = await paidTwice()
    const { payment } = await paidPayment(harness)
    await orderRefund(harness, payment, { amount: '10' })
    await untilRefunded(harness, payment)
    const { payment: disputed, endToEndId } = await paidPayment(harness)
    await harness.pixControl(`/pix/${endToEndId}/med`)
    await harness.goOn(5)
    const of = (edges: readonly { node: { paymentId: string } }[]) => edges.map(({ node }) => node.paymentId)
    const refunded = of((await listRefunds(deps, tenant, { first: 100 })).edges)
    const taken = of((await listDisputes(deps, tenant, { first: 100 })).edges)
    const returned = (await all()).map((one) => one.paymentId)
    expect([refunded, taken].map((list) => list.includes(paymentId))).toEqual([false, false])
    expect(refunded).toContain(payment.id)
    expect(taken).toContain(disputed.id)
    expect(returned).toContain(paymentId)
    expect([payment, disputed].map(({ id }) => returned.includes(id))).toEqual([false, false])
  })

  it('is read of many payments by one statement, by the same ids', async () => {
    const came = [await paidTwice(), await paidTwice()]
    const loaders = requestLoaders(deps)
    let read: PaymentReturn[][] = []
    const statements = await statementsOf(harness.db.pool, async () => {
      read = await Promise.all(came.map(({ paymentId }) => loaders.returnsOfPayment(tenant.id, paymentId)))
    })
    expect(statements).toEqual(['payment_return_of_payments'])
    expect(read).toMatchObject(came.map((one) => [one]))
    const listed = await all()
    expect(read.flat().every(({ id }) => listed.some((one) => one.id === id))).toBe(true)
    const [{ paymentId = '' } = {}] = came
    expect(await requestLoaders(deps).returnsOfPayment(stranger.id, paymentId)).toEqual([])
  })

  it.each(['', 'x', '["pix","a"]', '["pix","a\\u0000","b"]'])(
    'is not read behind what is no cursor: %s',
    async (text) => {
      const after = Buffer.from(text).toString('base64url')
      await expect(listPaymentReturns(deps, tenant, { after })).rejects.toMatchObject({ code: 'validation_error' })
    },
  )

  it('is found without a look at the refunds, however many there are', async () => {
    const { paymentId } = await paidTwice()
    await harness.query(
      `insert into payments.receipt_return (tenant_id, rail, receipt_id, id, amount, status, forced, reason, origin, refund_id, created_at)
        select tenant_id, rail, id, 'many-' || n, '0.01', 'done', false, 'refund', 'tenant', 'many-' || n, now() from payments.receipt,
          generate_series(1, 5000) as n where payment_id = $1 and outcome = 'accepted'`,
      [paymentId],
    )
    await harness.query('analyze payments.receipt_return')
    const values = [tenant.id, null, null, null, 3]
    const { kinds, rows } = await readsOf(harness.query, 'receipt_return', { text: LIST_RETURNS.text, values })
    expect(kinds.every((kind) => kind.startsWith('Index'))).toBe(true)
    expect(rows).toBeLessThanOrEqual(20)
  })
})
