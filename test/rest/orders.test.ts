import { beforeAll, describe, expect, it } from 'vitest'
import { RECEIVERS } from '../harness/chains.js'
import { orderBody, type Shop } from '../harness/rest-payments.js'
import { startHarness } from '../harness/harness.js'
import { fieldsOf } from '../harness/http.js'

let tenant: Shop
const harness = await startHarness()

const NOW = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const call = (method: string, path: string, body?: unknown) => harness.rest(method, path, { as: tenant, body })
const create = (changes: Record<string, unknown>) => call('POST', '/order/create', orderBody(changes))
const receiver = (percent: number, more = {}) => ({ receiver_wallet: RECEIVERS[0], receiver_percent: percent, ...more })

describe('POST /order/create', () => {
  beforeAll(async () => {
    tenant = await harness.dashboard.newTenant()
  })

  it('answers 200 order_created with the id, and the row has every documented field', async () => {
    const subscription = { plan_name: 'Gold', interval: 'monthly', next_payment_at: 1_900_000_000 }
    const answer = await create({
      gateway_method: 'subs',
      subscription_payment_config: subscription,
      order_items: [{ name: 'Shoe', quantity: 2, image_url: 'https://x.example/1.png' }],
      split_payment_config: [receiver(100, { recipient_id: 're_1', liable: true, charge_processing_fee: false })],
    })
    expect(answer.body).toEqual({
      statusCode: 200,
      success: true,
      status: 'order_created',
      message: 'Order created.',
      data: { order_id: expect.stringMatching(/^c[a-z0-9]{24}$/) },
    })
    const id = answer.body.data?.['order_id']
    const read = await call('GET', `/order/list/${String(id)}`)
    expect([read.status, read.body.status]).toEqual([200, 'order_found'])
    expect(read.body.data).toEqual({
      id,
      order_items: [{ name: 'Shoe', quantity: 2, description: null, image_url: 'https://x.example/1.png' }],
      tenant_id: tenant.id,
      split_payment_config: [
        {
          receiver_wallet: RECEIVERS[0],
          receiver_percent: 100,
          recipient_id: 're_1',
          liable: true,
          charge_processing_fee: false,
        },
      ],
      subscription_payment_config: { ...subscription, charge: false, retry_count: 0 },
      from_currency_symbol: 'BRL',
      amount_from: '100',
      to_currency_symbol: 'USDT',
      to_chain: 'polygon',
      on_ramp: false,
      gateway_method: 'subs',
      payment_method_allowed: {
        crypto: true,
        pixcrypto: false,
        cardcrypto: false,
        cardfiat: false,
        cryptofiat: false,
        cryptopix: false,
      },
      executor_id: 'api_transaction',
      active: true,
      payment_session_link: '',
      order_created_at: expect.stringMatching(NOW),
      order_updated_at: expect.stringMatching(NOW),
    })
  })

  it('defaults to every method whose product is on, no chain and no receivers', async () => {
    const { to_chain: _, payment_method_allowed: __, split_payment_config: ___, ...least } = orderBody()
    const crypto = await harness.dashboard.newTenant({ products: ['crypto'] })
    const created = await harness.rest('POST', '/order/create', { as: crypto, body: least })
    const read = await harness.rest('GET', `/order/list/${String(created.body.data?.['order_id'])}`, { as: crypto })
    expect(read.body.data).toMatchObject({
      to_chain: null,
      split_payment_config: [],
      order_items: [],
      subscription_payment_config: null,
      payment_method_allowed: { crypto: true, pixcrypto: false, cardcrypto: false, cryptofiat: true, cryptopix: true },
    })
  })

  it('names every field that an empty object lacks', async () => {
    const answer = await call('POST', '/order/create', {})
    expect(answer.body).toMatchObject({ statusCode: 400, success: false, status: 'validation_error' })
    expect(fieldsOf(answer)).toEqual([
      'amount_from',
      'executor_id',
      'from_currency_symbol',
      'gateway_method',
      'on_ramp',
      'to_currency_symbol',
    ])
  })

  it('lists wrong forms and broken rules of one body at once', async () => {
    const answer = await create({
      executor_id: 7,
      from_currency_symbol: 'XXX',
      amount_from: '0',
      gateway_method: 'subs',
      order_items: [{ name: '', quantity: 0 }, { quantity: 'two' }],
      split_payment_config: [receiver(60), receiver(50)],
      tenant_data: { public_client_id: 'x', webhook_url: 'x' },
    })
    expect(answer.body.status).toBe('validation_error')
    expect(fieldsOf(answer)).toEqual([
      'amount_from',
      'executor_id',
      'from_currency_symbol',
      'order_items.0.name',
      'order_items.0.quantity',
      'order_items.1.name',
      'order_items.1.quantity',
      'split_payment_config',
      'subscription_payment_config',
      'tenant_data.public_client_id',
      'tenant_data.webhook_url',
    ])
  })

  it.each([' ', 'ftp://x.example/1.png', 'https://user:word@x.example/1.png', 'javascript:alert(1)', '/1.png'])(
    'refuses %j as the picture of an item',
    async (url) => {
      const answer = await create({ order_items: [{ name: 'a', quantity: 1, image_url: url }] })
      expect(fieldsOf(answer)).toEqual(['order_items.0.image_url'])
    },
  )

  it('lists each bad field once, with the rules between those that are right', async () => {
    const bad = { to_currency_symbol: '', on_ramp: true, payment_method_allowed: { pixcrypto: true } }
    const answer = await create(bad)
    expect(fieldsOf(answer)).toEqual(['on_ramp', 'to_currency_symbol'])
  })

  it('takes an empty picture of an item as none, as it clears one', async () => {
    const items = (...urls: (string | undefined)[]) => ({
      order_items: urls.map((image_url, index) => ({ name: `item ${index}`, quantity: 1, image_url })),
    })
    const picture = 'https://x.example/1.png'
    const created = await create(items('', picture, picture))
    expect(created.status).toBe(200)
    const path = `/order/list/${String(created.body.data?.['order_id'])}`
    const pictures = async () =>
      ((await call('GET', path)).body.data?.['order_items'] as { image_url: unknown }[]).map((item) => item.image_url)
    expect(await pictures()).toEqual([null, picture, picture])
    const patched = await call('PATCH', path.replace('/list', ''), items('', '', undefined, ''))
    expect(patched.status).toBe(200)
    expect(await pictures()).toEqual([null, null, picture, null])
  })

  it('tells the tenant of it where the order names an address', async () => {
    const id = await tenant.createOrder({ tenant_data: tenant.tenantData })
    await call('PATCH', `/order/${id}`, { amount_from: '8' })
    const told = await harness.hooks.told(id, 2)
    expect(told.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['order.created', 1],
      ['order.updated', 2],
    ])
    expect(told[1]?.data).toMatchObject({ amount_from: '8' })
  })
})

describe('GET /order/list', () => {
  beforeAll(async () => {
    tenant = await harness.dashboard.newTenant()
    for (const amount of ['1', '2', '3']) await tenant.createOrder({ amount_from: amount })
    const plan = { plan_name: 'Gold', interval: 'weekly' }
    await tenant.createOrder({ amount_from: '4', gateway_method: 'subs', subscription_payment_config: plan })
    await tenant.createOrder({ amount_from: '5', on_ramp: true })
  })
  const list = async (query: string) => {
    const { status, body } = await call('GET', `/order/list${query}`)
    const { orders, pagination } = body.data as { orders: { amount_from: string }[]; pagination: object }
    return [status, body.status, orders.map(({ amount_from: amount }) => amount).join(''), pagination]
  }
  const page = (total: number, number: number, limit: number) => ({
    total,
    page: number,
    limit,
    total_pages: Math.ceil(total / limit),
  })

  it.each([
    ['', '54321', page(5, 1, 20)],
    ['?limit=2', '54', page(5, 1, 2)],
    ['?limit=2&page=3', '1', page(5, 3, 2)],
    ['?page=9', '', page(5, 9, 20)],
    ['?gateway_method=subs', '4', page(1, 1, 20)],
    ['?gateway_method=direct&on_ramp=false', '321', page(3, 1, 20)],
    ['?on_ramp=true', '5', page(1, 1, 20)],
    ['?unknown=1&limit=100', '54321', page(5, 1, 100)],
  ])('%s lists %s, newest first', async (query, amounts, pagination) => {
    expect(await list(query)).toEqual([200, 'orders_listed', amounts, pagination])
  })

  it.each([
    ['?page=0', ['page']],
    ['?limit=101', ['limit']],
    ['?page=x&limit=1000&on_ramp=yes&gateway_method=DIRECT', ['gateway_method', 'limit', 'on_ramp', 'page']],
    ['?page=1.5', ['page']],
    ['?limit=', ['limit']],
    ['?page=1&page=2', ['page']],
    ['?page=99999999999', ['page']],
  ])('%s is refused, every bad parameter named', async (query, fields) => {
    const answer = await call('GET', `/order/list${query}`)
    expect([answer.status, answer.body.status, fieldsOf(answer)]).toEqual([400, 'validation_error', fields])
  })

  it.each(['page', 'gateway_method', 'on_ramp'])('%s sent twice is told so', async (field) => {
    const { body } = await call('GET', `/order/list?${field}=1&${field}=2`)
    expect(body.errors).toEqual([{ field, message: 'must be sent once' }])
  })
})
