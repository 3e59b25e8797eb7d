import { describe, expect, it } from 'vitest'
import { RECEIVERS } from '../harness/chains.js'
import { countPayments, orderBody, REGISTER, registerBody } from '../harness/rest-payments.js'
import { startHarness } from '../harness/harness.js'
import { fieldsOf } from '../harness/http.js'

const harness = await startHarness()

const postBody = (body: unknown) => harness.tenant.post(REGISTER, body)
const post = (changes: Record<string, unknown> = {}) => postBody(registerBody(harness.tenant, changes))

describe('an integration', () => {
  const withId = (id: string) => ({ ...harness.tenant.tenantData, public_client_id: id })

  it("is one of the tenant's: nobody's and another tenant's are refused, in a payment and in an order", async () => {
    const other = await harness.dashboard.newTenant()
    for (const id of [`pk_${'0'.repeat(32)}`, other.tenantData.public_client_id, 'c000000000000000000000000']) {
      const refused = await post({ tenant_data: withId(id) })
      const message = "must be one of the tenant's integrations"
      expect(refused.body.errors).toEqual([{ field: 'tenant_data.public_client_id', message }])
      const body = orderBody({ tenant_data: withId(id) })
      const order = await harness.tenant.post('/order/create', body)
      expect(fieldsOf(order)).toEqual(['tenant_data.public_client_id'])
    }
  })

  it.each(['cly3f0q8x0000ab12cd34ef56', `acme-${'ab'.repeat(16)}`])('under the old id %s is taken', async (id) => {
    await harness.dashboard.addIntegration(harness.tenant, id)
    expect((await post({ tenant_data: withId(id) })).status).toBe(201)
  })
})

describe('the fiat currencies', () => {
  it('are those of the deployment, narrowed for a tenant where it says so', async () => {
    const tenant = await harness.dashboard.newTenant()
    await harness.dashboard.limitFiats(tenant, ['USD', 'EUR'])
    const payment = await tenant.post(REGISTER, registerBody(tenant))
    const message = 'must be an enabled fiat currency: USD'
    expect(payment.body.errors).toEqual([{ field: 'from_currency_symbol', message }])
    expect(fieldsOf(await tenant.post('/order/create', orderBody()))).toEqual(['from_currency_symbol'])
    expect((await tenant.post(REGISTER, registerBody(tenant, { from_currency_symbol: 'USD' }))).status).toBe(201)
    expect((await post()).status).toBe(201)
  })
})

describe('a checkout', () => {
  it('needs the order code alone, and takes everything from the order', async () => {
    const orderCode = await harness.tenant.createOrder({ amount_from: '42.50' })
    const answer = await postBody({ order_code: orderCode })
    expect(answer.status).toBe(201)
    expect(await harness.tenant.statusOf(String(answer.body.data?.['payment_id']))).toMatchObject({
      executor_id: 'order_transaction',
      order_code: orderCode,
      amount_from: '42.50',
      split_payment_config: [{ receiver_wallet: RECEIVERS[0], receiver_percent: 100 }],
    })
  })

  it("tells the integration of its tenant_data, else the order's, else the tenant's default one", async () => {
    const tenant = await harness.dashboard.newTenant()
    const { webhook_url: url, public_client_id: own } = tenant.tenantData
    await harness.dashboard.setWebhookUrl(tenant)
    const [ofOrder, ofBody] = [`order_${'1'.repeat(32)}`, `body_${'2'.repeat(32)}`]
    for (const id of [ofOrder, ofBody]) await harness.dashboard.addIntegration(tenant, id)
    const dataOf = (id: string) => ({ tenant_data: { public_client_id: id, webhook_url: url } })
    const bare = await tenant.createOrder()
    const named = await tenant.createOrder(dataOf(ofOrder))
    const told = async (body: object) => {
      const answer = await tenant.post(REGISTER, body)
      const id = String(answer.body.data?.['payment_id'])
      const [kept] = await harness.sql('select public_client_id from payments.payment where id = $1', [id])
      return { id, integration: kept?.['public_client_id'] }
    }
    expect((await told({ order_code: named, ...dataOf(ofBody) })).integration).toBe(ofBody)
    expect((await told({ order_code: named })).integration).toBe(ofOrder)
    const { id, integration } = await told({ order_code: bare })
    expect(integration).toBe(own)
    // Its own address gets the event, signed with its own secret.
    const [event] = await harness.hooks.told(id)
    expect(event).toMatchObject({ type: 'payment.registered', data: { id, order_code: bare } })
  })

  it('takes order_id as another name of order_code', async () => {
    const orderCode = await harness.tenant.createOrder()
    for (const body of [{ order_id: orderCode }, { order_id: orderCode, order_code: orderCode }]) {
      const answer = await postBody(body)
      expect(await harness.tenant.statusOf(String(answer.body.data?.['payment_id']))).toMatchObject({
        order_code: orderCode,
        executor_id: 'order_transaction',
      })
    }
    expect((await postBody({ order_id: 'c000000000000000000000000' })).body.status).toBe('order_not_found')
    expect(fieldsOf(await postBody({ order_id: 7 }))).toEqual(['order_id'])
    const bare = await harness.tenant.createOrder({ split_payment_config: [] })
    const { message, errors } = (await postBody({ order_id: bare })).body
    expect(errors?.map(({ field }) => field)).toEqual(['order_id'])
    expect(message).toContain('order_id: cannot be paid')
  })

  it.each([['SHOP-1001'], [''], [77]])(
    'takes the order_code where an order_id stands beside it, which is the shop’s own there: %j',
    async (orderId) => {
      const orderCode = await harness.tenant.createOrder()
      expect((await postBody({ order_id: orderId, order_code: orderCode })).status).toBe(201)
      expect(await countPayments(harness, orderCode)).toBe(1)
    },
  )

  it('validates what is sent besides, and then ignores it', async () => {
    const orderCode = await harness.tenant.createOrder()
    const bad = await postBody({ order_code: orderCode, amount_from: '0', from_currency_symbol: 'XXX' })
    expect([bad.status, fieldsOf(bad)]).toEqual([400, ['amount_from', 'from_currency_symbol']])
    const good = await postBody({ order_code: orderCode, amount_from: '7', executor_id: 'anything' })
    expect(await harness.tenant.statusOf(String(good.body.data?.['payment_id']))).toMatchObject({
      amount_from: '100',
      executor_id: 'order_transaction',
    })
  })

  it('checks the terms of a subscription that are sent besides as without an order, and then ignores them', async () => {
    const orderCode = await harness.tenant.createOrder()
    const withTerms = (subscription: unknown, more = {}) =>
      postBody({ order_code: orderCode, subscription_payment_config: subscription, ...more })
    const bad = { plan_name: ' ', interval: 'monthly', next_payment_at: 1.5, retry_count: -1 }
    expect(fieldsOf(await withTerms({ ...bad, interval: 'daily' }, { executor_id: 7 }))).toEqual([
      'executor_id',
      'subscription_payment_config.interval',
      'subscription_payment_config.next_payment_at',
      'subscription_payment_config.plan_name',
      'subscription_payment_config.retry_count',
    ])
    expect(fieldsOf(await withTerms(bad, { amount_from: '0' }))).toEqual([
      'amount_from',
      'subscription_payment_config.next_payment_at',
      'subscription_payment_config.plan_name',
      'subscription_payment_config.retry_count',
    ])
    // Its order may have a name that is longer than new ones are, and it may be sent along.
    const good = await withTerms({ plan_name: 'x'.repeat(201), interval: 'monthly' }, { gateway_method: 'subs' })
    expect(good.status).toBe(201)
    const id = String(good.body.data?.['payment_id'])
    const [row] = await harness.sql('select gateway_method, subscription_config from payments.payment where id = $1', [
      id,
    ])
    expect(row).toEqual({ gateway_method: 'direct', subscription_config: null })
  })

  it('answers 404 order_not_found for an unknown order, whatever its form', async () => {
    for (const code of ['c000000000000000000000000', 'x', "' or 1=1 --"]) {
      expect((await postBody({ order_code: code })).body).toMatchObject({ statusCode: 404, status: 'order_not_found' })
    }
  })

  it('is refused on order_code, with what the order lacks, where no method could ever pay', async () => {
    for (const [terms, lack] of [
      [{ split_payment_config: [] }, /names no receiver/],
      [{ to_chain: undefined, to_currency_symbol: 'NOPE' }, /NOPE is not enabled on any chain/],
    ] as const) {
      const answer = await postBody({ order_code: await harness.tenant.createOrder(terms) })
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ['order_code']])
      expect(answer.body.errors?.[0]?.message).toMatch(lack)
    }
  })

  it('answers 400 for an order code that is no text or empty', async () => {
    for (const code of [7, '', ['x'], {}]) {
      const answer = await postBody({ order_code: code })
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ['order_code']])
    }
  })
})

describe('a subscription without an order', () => {
  it('needs its terms, which are checked as in an order', async () => {
    expect(fieldsOf(await post({ gateway_method: 'subs' }))).toEqual(['subscription_payment_config'])
    expect(fieldsOf(await post({ gateway_method: 'subs', amount_from: 7 }))).toEqual([
      'amount_from',
      'subscription_payment_config',
    ])
    const bad = { plan_name: ' ', interval: 'daily', next_payment_at: 1.5, retry_count: -1 }
    const answer = await post({ gateway_method: 'subs', subscription_payment_config: bad })
    expect(fieldsOf(answer)).toEqual([
      'subscription_payment_config.interval',
      'subscription_payment_config.next_payment_at',
      'subscription_payment_config.plan_name',
      'subscription_payment_config.retry_count',
    ])
    const long = { gateway_method: 'subs', subscription_payment_config: { ...bad, plan_name: 'x'.repeat(201) } }
    expect(fieldsOf(await post(long))).toContain('subscription_payment_config.plan_name')
    const good = { plan_name: 'Gold', interval: 'monthly' }
    expect((await post({ gateway_method: 'subs', subscription_payment_config: good })).status).toBe(201)
  })
})
