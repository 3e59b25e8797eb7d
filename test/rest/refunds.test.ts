import { describe, expect, it } from 'vitest'
import { fundRefunds } from '../../subgraphs/payments/fixtures/refunds.js'
import { postJson } from '../harness/control.js'
import { startHarness } from '../harness/harness.js'
import { cardTerms } from '../harness/rest-cards.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
const { tenant } = harness
const pixOrder = await tenant.createOrder({ payment_method_allowed: { pixcrypto: true } })
const cardOrder = await tenant.createOrder(cardTerms(['rp_shop0001', 'rp_partner2']))

type Refund = Record<string, string>
const refund = (id: string, body?: object, headers = {}) =>
  harness.rest('POST', `/payment/${id}/refund`, { as: tenant, body, headers })
const refundsOf = async (id: string, as = tenant) =>
  ((await harness.rest('GET', `/payment/${id}/refunds`, { as })).body.data?.['refunds'] ?? []) as Refund[]
const hooksOf = (id: string) => harness.hooks.received.filter(({ data }) => data['refund_id'] === id)
const untilEnded = async (id: string) => {
  await until('the refunds have ended', async () => (await refundsOf(id)).every(({ status }) => status !== 'pending'))
  return refundsOf(id)
}

/** A Pix payment whose receivers have their money. */
async function paidPix(): Promise<string> {
  const { id, charge } = await tenant.pixOfOrder(pixOrder)
  await postJson(`${harness.pixUrl}/sandbox/cob/${charge.txid}/pay`)
  await tenant.untilStatus(id, 'success')
  return id
}

async function paidCard(): Promise<string> {
  const id = await tenant.payByCard(cardOrder)
  expect(await tenant.statusOf(id)).toMatchObject({ status: 'success' })
  return id
}

async function chargeAtProcessor(paymentId: string) {
  const { orders } = (await (await fetch(`${harness.cardUrl}/sandbox/orders`)).json()) as {
    orders: { code: string; charges: [{ id: string; status: string; canceled_amount: number }] }[]
  }
  const charge = orders.find(({ code }) => code === paymentId)?.charges[0]
  if (!charge) throw new Error('there is no charge')
  return charge
}

describe('POST /payment/:id/refund', () => {
  it('of a Pix takes what its receivers have from the balance for refunds, and tells of each step', async () => {
    const id = await paidPix()
    expect((await refund(id)).body).toMatchObject({ statusCode: 409, status: 'insufficient_refund_balance' })
    expect(await refundsOf(id)).toEqual([])
    expect((await fundRefunds(harness.databaseUrl, tenant.id, '100', id)).code).toBe(0)
    const answer = await refund(id, { amount: '40.50', reason: 'requested_by_customer' })
    expect(answer.body).toMatchObject({ statusCode: 201, status: 'refund_created' })
    expect(answer.body.data).toEqual({
      refund_id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      payment_id: id,
      amount: '40.50',
      currency: 'BRL',
      status: 'pending',
      reason: 'requested_by_customer',
      created_at: expect.any(String),
    })
    const refundId = String(answer.body.data?.['refund_id'])
    expect(await untilEnded(id)).toEqual([{ ...answer.body.data, status: 'succeeded' }])
    expect(await tenant.statusOf(id)).toMatchObject({ status: 'success', refunded_amount: '40.5' })
    await until('both webhooks', () => Promise.resolve(hooksOf(refundId).length === 2))
    expect(hooksOf(refundId).map(({ type }) => type)).toEqual(['refund.created', 'refund.succeeded'])
    expect(hooksOf(refundId)[0]?.data).toEqual(answer.body.data)
    expect((await refund(id, { amount: '59.51' })).body.status).toBe('refund_exceeds_payment')
    // Without an amount it is what is left: null is as if it was not there, as in every body.
    expect((await refund(id, { amount: null, reason: null })).body.data).toMatchObject({ amount: '59.5', reason: null })
    expect((await untilEnded(id)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    expect(await tenant.statusOf(id)).toMatchObject({ status: 'success', refunded_amount: '100' })
  })

  it('of a card is taken back by the processor from those whom it has paid, in parts', async () => {
    const id = await paidCard()
    await refund(id, { amount: '33.33' })
    await untilEnded(id)
    expect(await chargeAtProcessor(id)).toMatchObject({ status: 'paid', canceled_amount: 3333 })
    await Promise.all([refund(id, { amount: '10' }), refund(id, { amount: '20' })])
    await untilEnded(id)
    await refund(id)
    expect((await untilEnded(id)).map(({ status }) => status)).toEqual(Array(4).fill('succeeded'))
    expect(await chargeAtProcessor(id)).toMatchObject({ status: 'canceled', canceled_amount: 10_000 })
    expect(await tenant.statusOf(id)).toMatchObject({ status: 'success', refunded_amount: '100' })
  })

  it('of a card sees a refund of the dashboard, and takes nothing twice with a chargeback', async () => {
    const id = await paidCard()
    const { id: charge } = await chargeAtProcessor(id)
    await postJson(`${harness.cardUrl}/sandbox/charges/${charge}/refund`, { amount: 2500 })
    await until('the refund is seen', async () => (await refundsOf(id)).length === 1)
    expect(await refundsOf(id)).toMatchObject([{ amount: '25', status: 'succeeded', reason: null }])
    await postJson(`${harness.cardUrl}/sandbox/charges/${charge}/chargeback`)
    await until('the chargeback is seen', async () => {
      const { global_payment_data: data } = (await tenant.statusOf(id)) as {
        global_payment_data: { returns: { forced: boolean; amount: string }[] }
      }
      return data.returns.some(({ forced, amount }) => forced && amount === '75')
    })
    expect((await refund(id, { amount: '0.01' })).body.status).toBe('refund_exceeds_payment')
  })

  it('is made once under its idempotency key', async () => {
    const id = await paidCard()
    const headers = { 'idempotency-key': `refund ${id}` }
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, { amount: '5' }, headers)))
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.data?.['refund_id'])
    expect(new Set(made).size).toBe(1)
    expect(await untilEnded(id)).toHaveLength(1)
    const again = await refund(id, { amount: '5' }, headers)
    expect([again.headers['idempotent-replayed'], again.body.data?.['refund_id']]).toEqual(['true', made[0]])
    expect((await refund(id, { amount: '6' }, headers)).body.status).toBe('idempotency_key_reused')
  })

  it.each([
    [{ amount: '0' }, ['amount']],
    [{ amount: '1.001' }, ['amount']],
    [{ amount: '-1', reason: 'boredom' }, ['amount', 'reason']],
    [{ amount: '0.001', reason: 7 }, ['amount', 'reason']],
  ])('refuses %j, naming each field', async (body, fields) => {
    const id = await tenant.register()
    const answer = await refund(id, body)
    expect([answer.status, answer.body.status, (answer.body.errors ?? []).map(({ field }) => field).sort()]).toEqual([
      400,
      'validation_error',
      fields,
    ])
  })

  it('leaves the books balanced', async () => {
    const rows = await harness.sql(
      `select currency from payments.ledger_line group by currency having sum(debit) <> sum(credit)`,
    )
    expect(rows).toEqual([])
  })
})

describe('refunds in GraphQL', () => {
  it('are made, and shown with their payment', async () => {
    const id = await paidCard()
    const mutation =
      'mutation ($id: ID!, $input: RefundPaymentInput) { refundPayment(id: $id, input: $input) { refund { id amount status reason } errors { code path } } }'
    const made = await harness.graphql(mutation, { id, input: { amount: '7', reason: 'OTHER' } }, { as: tenant })
    expect(made.body.data).toMatchObject({
      refundPayment: { refund: { amount: '7', status: 'PENDING', reason: 'OTHER' }, errors: [] },
    })
    await untilEnded(id)
    const query = 'query ($id: ID!) { payment(id: $id) { refundedAmount refunds { amount status } } }'
    const shown = await harness.graphql(query, { id }, { as: tenant })
    expect(shown.body.data).toEqual({
      payment: { refundedAmount: '7', refunds: [{ amount: '7', status: 'SUCCEEDED' }] },
    })
    const { refund } = (made.body.data as { refundPayment: { refund: { id: string } } }).refundPayment
    const stranger = await harness.dashboard.newTenant()
    const foreign = await harness.graphql(
      'query ($id: ID!) { refund(id: $id) { id } }',
      { id: refund.id },
      { as: stranger },
    )
    expect(JSON.stringify(foreign.body)).toContain('REFUND_NOT_FOUND')
  })
})
