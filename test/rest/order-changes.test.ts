import { beforeAll, describe, expect, it } from 'vitest'
import { RECEIVERS } from '../harness/chains.js'
import { orderBody, REGISTER, registerBody, type Shop } from '../harness/rest-payments.js'
import { startHarness } from '../harness/harness.js'
import { fieldsOf } from '../harness/http.js'

let tenant: Shop
const harness = await startHarness()

const call = (method: string, path: string, body?: unknown) => harness.rest(method, path, { as: tenant, body })
const receiver = (percent: number, more = {}) => ({ receiver_wallet: RECEIVERS[0], receiver_percent: percent, ...more })

describe('PATCH /order/{order_id}', () => {
  beforeAll(async () => {
    tenant = await harness.dashboard.newTenant()
  })
  const patched = async (id: string, body: unknown) => {
    const answer = await call('PATCH', `/order/${id}`, body)
    expect([answer.status, answer.body.status]).toEqual([200, 'order_updated'])
    return answer.body.data
  }

  it('merges lists by index, subscriptions field by field, and answers the whole row', async () => {
    const id = await tenant.createOrder({
      order_items: [
        { name: 'a', quantity: 1 },
        { name: 'b', quantity: 2, description: 'kept' },
      ],
      split_payment_config: [receiver(100)],
    })
    const row = await patched(id, {
      order_items: [{}, { quantity: 3 }, { name: 'c', quantity: 4 }],
      split_payment_config: [{ receiver_percent: 70 }, { receiver_wallet: RECEIVERS[1], receiver_percent: 30 }],
      subscription_payment_config: { plan_name: 'Gold', interval: 'yearly' },
      active: false,
    })
    expect(row).toMatchObject({
      id,
      active: true,
      order_items: [
        { name: 'a', quantity: 1 },
        { name: 'b', quantity: 3, description: 'kept' },
        { name: 'c', quantity: 4 },
      ],
      split_payment_config: [receiver(70), { receiver_wallet: RECEIVERS[1], receiver_percent: 30 }],
      subscription_payment_config: { plan_name: 'Gold', interval: 'yearly', charge: false, retry_count: 0 },
    })
    expect(
      (await patched(id, { subscription_payment_config: { charge: true } }))?.['subscription_payment_config'],
    ).toEqual({
      plan_name: 'Gold',
      interval: 'yearly',
      next_payment_at: null,
      charge: true,
      retry_count: 0,
    })
  })

  it('validates the merged order as a whole before it stores anything', async () => {
    const id = await tenant.createOrder()
    const answer = await call('PATCH', `/order/${id}`, {
      amount_from: '9',
      order_items: [{ quantity: 1 }],
      split_payment_config: [{ receiver_percent: 70 }],
      gateway_method: 'subs',
    })
    expect([answer.status, fieldsOf(answer)]).toEqual([
      400,
      ['order_items.0.name', 'split_payment_config', 'subscription_payment_config'],
    ])
    expect((await call('GET', `/order/list/${id}`)).body.data).toMatchObject({
      amount_from: '100',
      gateway_method: 'direct',
    })
  })

  it('moves an order to another chain, and null clears what an order can be without', async () => {
    const items = [{ name: 'a', quantity: 1, description: 'gone soon' }]
    const split = [receiver(100, { recipient_id: 're_1' })]
    const id = await tenant.createOrder({ order_items: items, split_payment_config: split })
    const cleared = await patched(id, {
      order_items: [{ description: null }],
      split_payment_config: [{ recipient_id: null }],
    })
    expect(cleared).toMatchObject({ order_items: [{ name: 'a', description: null }] })
    expect(cleared).toMatchObject({ split_payment_config: [{ receiver_percent: 100, recipient_id: null }] })
    expect(await patched(id, { to_chain: null, split_payment_config: null, order_items: null })).toMatchObject({
      to_chain: null,
      split_payment_config: [],
      order_items: [],
      amount_from: '100',
    })
    expect(await patched(id, { to_chain: 'solana', to_currency_symbol: 'USDC' })).toMatchObject({ to_chain: 'solana' })
    expect(fieldsOf(await call('PATCH', `/order/${id}`, { to_chain: 'nowhere' }))).toEqual(['to_chain'])
  })

  it('takes the way back to the shop away with null, and leaves it where it is not spoken of', async () => {
    const [success_url, cancel_url] = ['https://shop.example/thanks', 'https://shop.example/basket']
    const id = await tenant.createOrder({ success_url, cancel_url })
    const urls = async () => {
      const query = 'query ($id: ID!) { order(id: $id) { successUrl cancelUrl } }'
      return (await harness.graphql(query, { id }, { as: tenant })).body.data?.['order']
    }
    await patched(id, { success_url: null })
    expect(await urls()).toEqual({ successUrl: null, cancelUrl: cancel_url })
    const update = `mutation ($id: ID!, $input: UpdateOrderInput!) {
      updateOrder(id: $id, input: $input) { order { successUrl cancelUrl } errors { code } } }`
    const answer = await harness.graphql(update, { id, input: { cancelUrl: null } }, { as: tenant })
    expect(answer.body.data?.['updateOrder']).toEqual({ order: { successUrl: null, cancelUrl: null }, errors: [] })
    await patched(id, { success_url, cancel_url: null })
    expect(await urls()).toEqual({ successUrl: success_url, cancelUrl: null })
  })

  it('lists what is wrong with fields and, where these are right, what is wrong between them', async () => {
    const id = await tenant.createOrder({ payment_method_allowed: { crypto: true } })
    const refused = async (body: object) => {
      const answer = await call('PATCH', `/order/${id}`, body)
      expect([answer.status, answer.body.status]).toEqual([400, 'validation_error'])
      return fieldsOf(answer)
    }
    const methods = { payment_method_allowed: { pixcrypto: true } }
    expect(await refused({ amount_from: '0', on_ramp: true, ...methods })).toEqual(['amount_from', 'on_ramp'])
    expect(await refused({ amount_from: 7, on_ramp: true, ...methods })).toEqual(['amount_from', 'on_ramp'])
    expect(await refused({ executor_id: ' ', gateway_method: 'subs', to_chain: 'nowhere' })).toEqual([
      'executor_id',
      'subscription_payment_config',
      'to_chain',
    ])
    // With the stored receiver the shares are 100: the sum of what was sent alone would say nothing.
    expect(await refused({ amount_from: '0', split_payment_config: [{}, receiver(1)] })).toEqual([
      'amount_from',
      'split_payment_config',
    ])
    expect(await refused({ amount_from: '0', split_payment_config: [{ recipient_id: 're_1' }] })).toEqual([
      'amount_from',
    ])
    // Whether the chain has the token is not asked of a token that is none.
    const { body } = await call('PATCH', `/order/${id}`, { to_currency_symbol: '', to_chain: 'polygon' })
    expect(body.errors).toEqual([{ field: 'to_currency_symbol', message: 'must not be empty' }])
    const unknown = await call('PATCH', '/order/c000000000000000000000000', {
      amount_from: '0',
      gateway_method: 'subs',
    })
    expect(fieldsOf(unknown)).toEqual(['amount_from'])
  })

  it.each([[{}], [{ unknown: 1 }], [{ active: false, id: 'x' }]])('%j is no_fields_to_update', async (body) => {
    const answer = await call('PATCH', `/order/${await tenant.createOrder()}`, body)
    expect([answer.status, answer.body.status]).toEqual([400, 'no_fields_to_update'])
  })
})

describe('null for what an order needs', () => {
  it('is refused by its name, alone, in an item, beside what is right and beside a bad form, and changes nothing', async () => {
    tenant = await harness.dashboard.newTenant()
    const id = await tenant.createOrder({ order_items: [{ name: 'a', quantity: 1 }] })
    const nulls = [
      'executor_id',
      'from_currency_symbol',
      'amount_from',
      'to_currency_symbol',
      'on_ramp',
      'gateway_method',
    ]
    const refused = async (body: object) => {
      const answer = await call('PATCH', `/order/${id}`, body)
      expect([answer.status, answer.body.status]).toEqual([400, 'validation_error'])
      return fieldsOf(answer)
    }
    for (const field of nulls) expect(await refused({ [field]: null })).toEqual([field])
    expect(await refused({ to_chain: null, amount_from: null })).toEqual(['amount_from'])
    expect(await refused({ amount_from: null, to_currency_symbol: 7 })).toEqual(['amount_from', 'to_currency_symbol'])
    const item = { order_items: [{ name: null, description: 'new' }] }
    expect(await refused(item)).toEqual(['order_items.0.name'])
    expect(await refused({ ...item, on_ramp: 7 })).toEqual(['on_ramp', 'order_items.0.name'])
    expect((await call('GET', `/order/list/${id}`)).body.data).toMatchObject({
      ...{ to_chain: 'polygon', amount_from: '100' },
      order_items: [{ name: 'a', quantity: 1, description: null }],
    })
  })
})

describe('a number out of range', () => {
  const NOBODY = 'c000000000000000000000000'
  const SHARE = { split_payment_config: [{ receiver_percent: -1 }] }
  const tooMany = { split_payment_config: Array.from({ length: 51 }, () => receiver(-1)) }
  const told = async (method: string, path: string, body: object) => {
    const answer = await call(method, path, body)
    const errors = (answer.body.errors ?? []).map(({ field, message }) => `${field}: ${message}`)
    if (errors.length > 0) expect([answer.status, answer.body.message]).toEqual([400, errors[0]])
    return errors.length > 0 ? errors : answer.body.status
  }
  const DUE = 'subscription_payment_config.next_payment_at: must be a Unix timestamp in whole seconds'
  const percent = (index: number, problem: string) => `split_payment_config.${index}.receiver_percent: ${problem}`

  beforeAll(async () => {
    tenant = await harness.dashboard.newTenant()
  })

  it.each([0, -1, 1.5, 1_900_000_000_000])('%d as a due time is listed with what the order lacks', async (due) => {
    const body = { subscription_payment_config: { next_payment_at: due } }
    expect(await told('PATCH', `/order/${await tenant.createOrder()}`, body)).toEqual([
      DUE,
      'subscription_payment_config.plan_name: is required',
      'subscription_payment_config.interval: is required',
    ])
    expect(await told('PATCH', `/order/${NOBODY}`, body)).toEqual([DUE])
  })

  it('as a share is listed with what does not fit to the order', async () => {
    const split = [receiver(50), { receiver_wallet: RECEIVERS[1], receiver_percent: 50 }]
    const id = await tenant.createOrder({ split_payment_config: split })
    const range = percent(0, 'must be from 0 to 100')
    const wallet = (index: number) =>
      `split_payment_config.${index}.receiver_wallet: must be a receiver's address on solana`
    const token = expect.stringMatching(/^to_currency_symbol: /) as string
    const moved = await told('PATCH', `/order/${id}`, { to_chain: 'solana', to_currency_symbol: 'NONE', ...SHARE })
    expect(moved).toEqual([range, token, wallet(0), wallet(1)])
    expect(await told('PATCH', `/order/${id}`, SHARE)).toEqual([range])
    const tiny = { split_payment_config: [{}, { receiver_percent: 5e-19 }] }
    expect(await told('PATCH', `/order/${id}`, tiny)).toEqual([percent(1, 'must have at most 18 decimals')])
    expect(await told('PATCH', `/order/${NOBODY}`, SHARE)).toEqual([range])
  })

  it('says nothing where there are too many receivers', async () => {
    const message = 'split_payment_config: must name at most 50 receivers'
    expect(await told('PATCH', `/order/${await tenant.createOrder()}`, tooMany)).toEqual([message])
    expect(await told('PATCH', `/order/${NOBODY}`, tooMany)).toBe('order_not_found')
    expect(await told('POST', '/order/create', orderBody(tooMany))).toEqual([message])
    expect(await told('POST', REGISTER, registerBody(tenant, tooMany))).toEqual([message])
  })

  it('is told to nobody who may not change anything, and of no other request with the same idempotency key', async () => {
    const id = await tenant.createOrder()
    const { key } = await harness.dashboard.newKey(tenant, { expiresAt: null, scopes: ['orders:read'] })
    const whole = { split_payment_config: [receiver(-1)] }
    const requests = [
      ['PATCH', `/order/${id}`, whole, { amount_from: '8' }],
      ['POST', '/order/create', orderBody(whole), orderBody()],
      ['POST', REGISTER, registerBody(tenant, whole), registerBody(tenant)],
    ] as const
    for (const [method, path, body, good] of requests) {
      const denied = await harness.rest(method, path, { as: key, body })
      expect([path, denied.status, denied.body.status]).toEqual([path, 403, 'permission_denied'])
      const headers = { 'idempotency-key': `${method} ${path}` }
      expect((await harness.rest(method, path, { as: tenant, headers, body: good })).body.success).toBe(true)
      const reused = await harness.rest(method, path, { as: tenant, headers, body })
      expect(reused.body.status).toBe('idempotency_key_reused')
    }
  })
})

describe('DELETE /order/{order_id}', () => {
  it('answers 200 order_deleted; the order is gone from lists, pays nothing, and its payments stay', async () => {
    tenant = await harness.dashboard.newTenant()
    const id = await tenant.createOrder()
    const paid = await call('POST', REGISTER, { order_code: id })
    const answer = await call('DELETE', `/order/${id}`)
    const message = 'Order deleted.'
    expect(answer.body).toEqual({ statusCode: 200, success: true, status: 'order_deleted', message, data: { id } })
    expect((await call('GET', '/order/list')).body.data).toMatchObject({ orders: [], pagination: { total: 0 } })
    for (const [method, path, body] of [
      ['GET', `/order/list/${id}`],
      ['PATCH', `/order/${id}`, { amount_from: '1' }],
      ['PATCH', `/order/${id}/toggle`],
      ['DELETE', `/order/${id}`],
      ['POST', REGISTER, { order_code: id }],
    ] as const) {
      const refused = await call(method, path, body)
      expect([method, path, refused.status, refused.body.status]).toEqual([method, path, 404, 'order_not_found'])
    }
    const status = await call('GET', `/payment/${String(paid.body.data?.['payment_id'])}/status`)
    expect(status.body.data).toMatchObject({ order_code: id, status: 'registered' })
  })
})

describe('toggling', () => {
  beforeAll(async () => {
    tenant = await harness.dashboard.newTenant()
  })

  it.each(['PATCH', 'POST'])('by %s switches an order off and on again', async (method) => {
    const id = await tenant.createOrder()
    for (const [status, active] of [
      ['order_deactivated', false],
      ['order_activated', true],
    ] as const) {
      const answer = await call(method, `/order/${id}/toggle`)
      expect(answer.body).toEqual({
        statusCode: 200,
        success: true,
        status,
        message: expect.any(String),
        data: { id, active },
      })
    }
  })
})
