import { describe, expect, it } from 'vitest'
import { CREATE_TRANSACTION, EXECUTE, REGISTER, transactionBody } from '../harness/rest-payments.js'
import type { TestTenant } from '../harness/tenants.js'
import { startHarness } from '../harness/harness.js'

/** A row of another tenant answers exactly as one that does not exist: nobody can find out that it does. */
const harness = await startHarness()
const stranger = await harness.dashboard.newTenant()
const signed = await harness.tenant.signedPayment(await harness.chain.newPayer())
const order = await harness.tenant.createOrder()

const MISSING = 'cmissing00000000000000000'
const PAYER = '0x1111111111111111111111111111111111111111'

describe('to a stranger', () => {
  const rows: [string, string, (id: string) => { path: string; body?: unknown }, () => string][] = [
    ['GET', 'the status of a payment', (id) => ({ path: `/payment/${id}/status` }), () => signed.id],
    [
      'POST',
      'creating its transaction',
      (id) => ({ path: CREATE_TRANSACTION, body: transactionBody(id, PAYER) }),
      () => signed.id,
    ],
    ['POST', 'refunding it', (id) => ({ path: `/payment/${id}/refund` }), () => signed.id],
    ['GET', 'its refunds', (id) => ({ path: `/payment/${id}/refunds` }), () => signed.id],
    ['POST', 'cancelling it', (id) => ({ path: `/payment/${id}/cancel` }), () => signed.id],
    [
      'POST',
      'executing it',
      (id) => ({ path: EXECUTE, body: { payment_id: id, signed_transaction: signed.raw } }),
      () => signed.id,
    ],
    ['POST', 'registering from an order', (id) => ({ path: REGISTER, body: { order_code: id } }), () => order],
    ['GET', 'reading an order', (id) => ({ path: `/order/list/${id}` }), () => order],
    ['PATCH', 'changing an order', (id) => ({ path: `/order/${id}`, body: { amount_from: '1' } }), () => order],
    [
      'PATCH',
      'changing an order so that it would not be valid',
      (id) => ({ path: `/order/${id}`, body: { gateway_method: 'subs' } }),
      () => order,
    ],
    ['PATCH', 'switching an order', (id) => ({ path: `/order/${id}/toggle` }), () => order],
    ['POST', 'switching an order by POST', (id) => ({ path: `/order/${id}/toggle` }), () => order],
  ]
  it.each(rows)('%s: %s answers as for one that does not exist, byte by byte', async (method, _what, call, idOf) => {
    const ask = (id: string, as: TestTenant) => harness.rest(method, call(id).path, { as, body: call(id).body })
    const [foreign, missing] = [await ask(idOf(), stranger), await ask(MISSING, stranger)]
    expect(foreign.status).toBe(404)
    expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text])
    const names = (headers: object) => Object.keys(headers).sort()
    expect(names(foreign.headers)).toEqual(names(missing.headers))
  })

  it('a webhook delivery of the others cannot be sent again', async () => {
    const [row] = await harness.sql('select id from accounts.webhook_delivery where resource_id = $1', [signed.id])
    const replay = (id: string) => harness.rest('POST', `/webhook/deliveries/${id}/replay`, { as: stranger })
    const [foreign, missing] = [await replay(String(row?.['id'])), await replay(MISSING)]
    expect([foreign.status, foreign.text]).toEqual([404, missing.text])
  })

  it('lists show nothing of the others', async () => {
    const list = await harness.rest('GET', '/order/list', { as: stranger })
    expect(list.body.data).toEqual({ orders: [], pagination: { total: 0, page: 1, limit: 20, total_pages: 0 } })
    const payments = await harness.rest('GET', '/payment/list', { as: stranger })
    expect(payments.body.data).toEqual({ payments: [], next: null })
    const deliveries = await harness.rest('GET', '/webhook/deliveries', { as: stranger })
    expect(deliveries.body.data).toEqual({ deliveries: [], next: null })
  })

  it('nothing was changed or sent by all that', async () => {
    expect(await harness.tenant.statusOf(signed.id)).toMatchObject({ status: 'pending', signed_tx: null })
    const read = await harness.tenant.get(`/order/list/${order}`)
    expect(read.body.data).toMatchObject({ amount_from: '100', active: true })
    expect(harness.rpc.sendsOf(signed.raw)).toBe(0)
    expect(harness.hooks.received.filter(({ path }) => path === `/${stranger.id}`)).toEqual([])
  })
})
