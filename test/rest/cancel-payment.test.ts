import { describe, expect, it } from 'vitest'
import { postJson } from '../harness/control.js'
import { startHarness } from '../harness/harness.js'
import { cardTerms } from '../harness/rest-cards.js'
import { CREATE_TRANSACTION, transactionBody } from '../harness/rest-payments.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
const { tenant } = harness
const pixOrder = await tenant.createOrder({ payment_method_allowed: { pixcrypto: true, crypto: true } })

const cancel = (id: string, headers = {}) => harness.rest('POST', `/payment/${id}/cancel`, { as: tenant, headers })
const pix = (path: string, body: object = {}) => postJson(`${harness.pixUrl}/sandbox${path}`, body)
const CANCELED = { status: 'error', data_error: { code: 'canceled', status: 'error' } }

/** The charge as the provider has it. */
async function cobOf(txid: string) {
  const { cobs } = (await (await fetch(`${harness.pixUrl}/sandbox/cob`)).json()) as {
    cobs: { txid: string; status: string; pix: { devolucoes: { status: string; valor: string }[] }[] }[]
  }
  return cobs.find((cob) => cob.txid === txid)
}

describe('POST /payment/:id/cancel', () => {
  it('ends a payment that nobody has begun to pay, for good, and tells the tenant once', async () => {
    const id = await tenant.register()
    const answer = await cancel(id)
    expect(answer.body).toMatchObject({ statusCode: 200, status: 'payment_canceled', data: { id, ...CANCELED } })
    expect(answer.body.data).toEqual(await tenant.statusOf(id))
    expect((await cancel(id)).body).toEqual(answer.body)
    const payer = await harness.chain.newPayer()
    const again = await tenant.post(CREATE_TRANSACTION, transactionBody(id, payer.address))
    expect([again.status, again.body.status]).toEqual([409, 'payment_already_processed'])
    const told = await harness.hooks.told(id, 2)
    expect(told.map(({ type }) => type)).toEqual(['payment.registered', 'payment.error'])
    expect(told[1]?.data).toMatchObject(CANCELED)
  })

  it('answers the same again under its idempotency key', async () => {
    const id = await tenant.register()
    const headers = { 'idempotency-key': `cancel ${id}` }
    const first = await cancel(id, headers)
    const second = await cancel(id, headers)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.body).toEqual(first.body)
  })

  it('removes an open charge at its provider first', async () => {
    const { id, charge } = await tenant.pixOfOrder(pixOrder)
    expect((await cancel(id)).body).toMatchObject({ status: 'payment_canceled', data: CANCELED })
    expect((await cobOf(charge.txid))?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
  })

  it('does not cancel while the provider cannot be asked: the payer could pay still', async () => {
    const { id } = await tenant.pixOfOrder(pixOrder)
    await pix('/faults', { mode: 'down' })
    const { status, body } = await cancel(id)
    await pix('/faults', { mode: 'ok' })
    expect([status, body.status]).toEqual([502, 'provider_unavailable'])
    expect(await tenant.statusOf(id)).toMatchObject({ status: 'pending' })
    expect((await cancel(id)).status).toBe(200)
  })

  it('refuses what was paid in between, also where no callback has told of it', async () => {
    const { id, charge } = await tenant.pixOfOrder(pixOrder)
    await pix('/callbacks', { mode: 'drop' })
    await pix(`/cob/${charge.txid}/pay`)
    const { status, body } = await cancel(id)
    await pix('/callbacks', { mode: 'deliver' })
    expect([status, body.status]).toEqual([409, 'payment_already_processed'])
    expect((await tenant.statusOf(id))['status']).not.toBe('error')
  })

  it('sends money back that comes after all', async () => {
    const { id, charge } = await tenant.pixOfOrder(pixOrder)
    await cancel(id)
    await pix(`/cob/${charge.txid}/pay`)
    await until('the refund', async () => (await cobOf(charge.txid))?.pix[0]?.devolucoes[0]?.status === 'DEVOLVIDO')
    expect((await cobOf(charge.txid))?.pix[0]?.devolucoes).toMatchObject([{ valor: '100.00' }])
    expect(await tenant.statusOf(id)).toMatchObject(CANCELED)
  })

  it('cancels a wallet payment until its transaction was broadcast', async () => {
    const payer = await harness.chain.newPayer()
    const open = await tenant.register()
    await tenant.createTransaction(open, payer.address)
    expect((await cancel(open)).body).toMatchObject({ data: CANCELED })
    const signed = await tenant.signedPayment(payer)
    await cancel(signed.id)
    expect((await tenant.execute(signed)).body.status).toBe('invalid_payment_status')
    const paid = await tenant.signedPayment(payer)
    expect((await tenant.execute(paid)).status).toBe(200)
    const { status, body } = await cancel(paid.id)
    expect([status, body.status]).toEqual([409, 'payment_already_processed'])
  })

  it('voids a card charge that is looked into still', async () => {
    const order = await tenant.createOrder(cardTerms(['rp_shop0001']))
    const id = await tenant.payByCard(order, '4000000000000036')
    expect(await tenant.statusOf(id)).toMatchObject({ status: 'pending' })
    expect((await cancel(id)).body).toMatchObject({ data: CANCELED })
    const { orders } = (await (await fetch(`${harness.cardUrl}/sandbox/orders`)).json()) as {
      orders: { code: string; charges: { status: string }[] }[]
    }
    expect(orders.find(({ code }) => code === id)?.charges[0]?.status).toBe('canceled')
  })

  it('is one cancellation where fifty come at once', async () => {
    const { id } = await tenant.pixOfOrder(pixOrder)
    const answers = await Promise.all(Array.from({ length: 50 }, () => cancel(id)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const rows = await harness.sql(
      `select 1 from payments.payment_event where payment_id = $1 and cause = 'canceled'`,
      [id],
    )
    expect(rows).toHaveLength(1)
  })

  it('is in GraphQL too', async () => {
    const id = await tenant.register()
    const mutation = `mutation ($id: ID!) { cancelPayment(id: $id) {
      payment { status dataError { code reason } events(first: 1) { edges { node { cause kind } } pageInfo { hasNextPage } } }
      errors { code path }
    } }`
    const { body } = await harness.graphql(mutation, { id }, { as: tenant })
    expect(body.data).toEqual({
      cancelPayment: {
        payment: {
          status: 'ERROR',
          dataError: { code: 'canceled', reason: 'CANCELED' },
          events: { edges: [{ node: { cause: 'registered', kind: 'REGISTERED' } }], pageInfo: { hasNextPage: true } },
        },
        errors: [],
      },
    })
  })
})
