import { describe, expect, it } from 'vitest'
import { methodsWhere } from '../../terms/methods.js'
import { RECEIVERS } from '../../test/harness/chains.js'
import { MINIMAL_ORDER, type OrdersHarness, SOLANA_RECEIVER, startOrdersHarness } from '../../test/harness/orders.js'

const harness = await startOrdersHarness()

const create = (changes: object, options: Parameters<OrdersHarness['send']>[2] = {}) =>
  harness.send(
    'createOrder',
    { input: { ...MINIMAL_ORDER, ...changes } },
    { tenantId: harness.newTenant(), ...options },
  )

const split = (...percents: string[]) => ({
  splitPaymentConfig: percents.map((receiverPercent) => ({ receiverWallet: RECEIVERS[0], receiverPercent })),
})
const SUBSCRIPTION = { planName: 'Gold', interval: 'MONTHLY' }
const NO_METHODS = methodsWhere(() => false)

describe('what an order is created with', () => {
  it('stores the least that is needed with the documented defaults', async () => {
    const { answer } = await create({}, { tenantId: 'defaults' })
    expect(answer).toMatchObject({
      ...MINIMAL_ORDER,
      tenantId: 'defaults',
      active: true,
      toChain: null,
      splitPaymentConfig: [],
      orderItems: [],
      subscriptionPaymentConfig: null,
      tenantData: null,
      paymentMethodAllowed: methodsWhere(() => true),
      sequence: 1,
    })
    expect(answer).toHaveProperty('id', expect.stringMatching(/^c[a-z0-9]{24}$/))
  })

  it('gives back every field as it was sent, at creation and when it is read', async () => {
    const tenantId = harness.newTenant()
    const input = {
      ...MINIMAL_ORDER,
      gatewayMethod: 'SUBS',
      toChain: 'polygon',
      paymentMethodAllowed: { ...NO_METHODS, crypto: true, cardcrypto: true },
      orderItems: [
        { name: 'Mug', quantity: 2, description: 'Blue', imageUrl: 'https://shop.example/mug.png' },
        { name: 'Pen', quantity: 1, description: null, imageUrl: null },
      ],
      splitPaymentConfig: [
        {
          receiverWallet: RECEIVERS[0],
          receiverPercent: '33.3',
          recipientId: 're_1',
          liable: true,
          chargeProcessingFee: false,
        },
        {
          receiverWallet: RECEIVERS[1],
          receiverPercent: '66.7',
          recipientId: null,
          liable: null,
          chargeProcessingFee: null,
        },
      ],
      subscriptionPaymentConfig: {
        ...SUBSCRIPTION,
        nextPaymentAt: '2100-01-01T00:00:00.000Z',
        charge: true,
        retryCount: 3,
      },
      tenantData: { publicClientId: `acme_${'ab'.repeat(16)}`, webhookUrl: 'https://shop.example/hook' },
    }
    const created = await harness.must('createOrder', { input }, { tenantId })
    expect(created).toMatchObject(input)
    expect(await harness.must('findOrder', { id: created.id }, { tenantId })).toEqual(created)
    expect(await harness.must('orderTemplate', { id: created.id }, { tenantId })).toEqual(created)
  })

  it('keeps shares and the due time as the numbers that REST shows', async () => {
    const input = {
      ...MINIMAL_ORDER,
      ...split('0070.50', '29.4999999', '0.0000001'),
      subscriptionPaymentConfig: { ...SUBSCRIPTION, nextPaymentAt: '2100-01-01T01:00:00+01:00' },
    }
    const { id, splitPaymentConfig } = await harness.must('createOrder', { input }, { tenantId: harness.newTenant() })
    const shown = splitPaymentConfig.map((receiver) => receiver['receiverPercent'])
    expect(shown).toEqual(['70.5', '29.4999999', '0.0000001'])
    const [row] = await harness.query(
      `select jsonb_path_query_array(split_payment_config, '$[*].receiverPercent') as percents,
        subscription_payment_config -> 'nextPaymentAt' as due from orders.payment_order where id = $1`,
      [id],
    )
    expect(row).toEqual({ percents: [70.5, 29.4999999, 1e-7], due: 4_102_444_800 })
  })

  it('takes null for an optional field as absent', async () => {
    const nothing = { toChain: null, paymentMethodAllowed: null, orderItems: null, splitPaymentConfig: null }
    const { code } = await create({ ...nothing, subscriptionPaymentConfig: null, tenantData: null })
    expect(code).toBeUndefined()
  })

  it('charges no subscription by itself and retries nothing unless told to', async () => {
    const { answer } = await create({ gatewayMethod: 'SUBS', subscriptionPaymentConfig: SUBSCRIPTION })
    expect(answer).toHaveProperty('subscriptionPaymentConfig', {
      ...SUBSCRIPTION,
      nextPaymentAt: null,
      charge: false,
      retryCount: 0,
    })
  })

  it('allows by default only methods whose product is on, and Pix not on an on-ramp', async () => {
    const pixOnly = await create({}, { products: ['pix', 'kyc'] })
    expect(pixOnly.answer).toHaveProperty('paymentMethodAllowed', { ...NO_METHODS, pixcrypto: true })
    const onRamp = await create({ onRamp: true }, { products: ['pix', 'credit_card'] })
    expect(onRamp.answer).toHaveProperty('paymentMethodAllowed', { ...NO_METHODS, cardcrypto: true, cardfiat: true })
    expect((await create({}, { products: ['kyc'] })).code).toBe('PRODUCT_DISABLED')
  })

  it('appends one event with the job that publishes it', async () => {
    const tenantId = harness.newTenant()
    const { id } = await harness.must('createOrder', { input: MINIMAL_ORDER }, { tenantId })
    const events = await harness.query('select order_id, sequence, type from orders.order_event where tenant_id = $1', [
      tenantId,
    ])
    expect(events).toEqual([{ order_id: id, sequence: 1, type: 'order.created' }])
    const jobs = await harness.query(
      `select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'publish-event' and j.payload ->> 'resourceId' = $1`,
      [id],
    )
    expect(jobs).toEqual([{ payload: { tenantId, source: 'orders', resourceId: id, sequence: 1 } }])
  })
})

describe('what an order is refused for', () => {
  const wallets = (toChain: string, toCurrencySymbol: string, receiverWallet: string) => ({
    toChain,
    toCurrencySymbol,
    splitPaymentConfig: [{ receiverWallet, receiverPercent: '100' }],
  })
  const subscription = (changes: object) => ({ subscriptionPaymentConfig: { ...SUBSCRIPTION, ...changes } })

  it.each<[string, object, string[]]>([
    ['a fiat currency that is not enabled', { fromCurrencySymbol: 'EUR' }, ['fromCurrencySymbol']],
    ['an amount of zero', { amountFrom: '0.00' }, ['amountFrom']],
    ['an empty executor', { executorId: ' ' }, ['executorId']],
    ['a chain that is not enabled', { toChain: 'tron' }, ['toChain']],
    ['a token that its chain does not have', { toChain: 'solana', toCurrencySymbol: 'USDT' }, ['toCurrencySymbol']],
    ['shares of less than 100', split('50', '49.99'), ['splitPaymentConfig']],
    ['shares of more than 100', split('33.33', '33.33', '33.35'), ['splitPaymentConfig']],
    [
      'shares that differ from 100 by less than a float shows',
      split('99.99999999999999', '0.00000000000002'),
      ['splitPaymentConfig'],
    ],
    ['more than 50 receivers', split(...Array<string>(50).fill('1.96'), '2'), ['splitPaymentConfig']],
    [
      'a receiver that is the token itself',
      wallets('polygon', 'USDT', '0xc2132D05D31c914a87C6611C10748AEb04B58e8F'),
      ['splitPaymentConfig.0.receiverWallet'],
    ],
    [
      'a share above 100, and one that no number stands for',
      split('101', '33.33333333333333333'),
      ['splitPaymentConfig.0.receiverPercent', 'splitPaymentConfig.1.receiverPercent'],
    ],
    [
      'a Solana receiver on an EVM chain',
      wallets('polygon', 'USDT', SOLANA_RECEIVER),
      ['splitPaymentConfig.0.receiverWallet'],
    ],
    ['an EVM receiver on Solana', wallets('solana', 'USDC', RECEIVERS[0]), ['splitPaymentConfig.0.receiverWallet']],
    ['Pix for an on-ramp', { onRamp: true, paymentMethodAllowed: { pixcrypto: true } }, ['onRamp']],
    ['a subscription without its terms', { gatewayMethod: 'SUBS' }, ['subscriptionPaymentConfig']],
    [
      'a due time before 1970',
      subscription({ nextPaymentAt: '1969-12-31T23:59:59Z' }),
      ['subscriptionPaymentConfig.nextPaymentAt'],
    ],
    [
      'a due time between two seconds',
      subscription({ nextPaymentAt: '2100-01-01T00:00:00.500Z' }),
      ['subscriptionPaymentConfig.nextPaymentAt'],
    ],
    ['a negative number of retries', subscription({ retryCount: -1 }), ['subscriptionPaymentConfig.retryCount']],
    ['a quantity of zero', { orderItems: [{ name: 'Mug', quantity: 0 }] }, ['orderItems.0.quantity']],
    ['an item without a name', { orderItems: [{ name: '', quantity: 1 }] }, ['orderItems.0.name']],
    [
      'an integration id of another form',
      { tenantData: { publicClientId: 'acme', webhookUrl: 'https://a.example' } },
      ['tenantData.publicClientId'],
    ],
    [
      'a webhook that is not acceptable',
      { tenantData: { publicClientId: `a_${'0'.repeat(32)}`, webhookUrl: 'http://a.example' } },
      ['tenantData.webhookUrl'],
    ],
  ])('%s', async (_, changes, fields) => {
    const outcome = await create(changes)
    expect(outcome).toMatchObject({ code: 'VALIDATION_ERROR', fields })
  })

  it('all of it at once', async () => {
    const outcome = await create({ fromCurrencySymbol: 'EUR', amountFrom: '0', toChain: 'tron', ...split('1') })
    expect(outcome.fields).toEqual(['fromCurrencySymbol', 'amountFrom', 'toChain', 'splitPaymentConfig'])
  })

  it('methods of which none is allowed', async () => {
    expect((await create({ paymentMethodAllowed: {} })).code).toBe('INVALID_PARAMETERS')
    expect((await create({ paymentMethodAllowed: NO_METHODS })).code).toBe('INVALID_PARAMETERS')
  })

  it.each([
    ['crypto', ['pix', 'credit_card']],
    ['pixcrypto', ['crypto', 'credit_card']],
    ['cardcrypto', ['crypto', 'pix']],
    ['cardfiat', ['crypto', 'pix']],
    ['cryptofiat', ['pix', 'credit_card'], 'pixcrypto'],
    ['cryptopix', ['pix', 'credit_card'], 'cardcrypto'],
  ] as const)('%s, where its product is off', async (method, products, beside?: string) => {
    const changes = { paymentMethodAllowed: { [method]: true, ...(beside !== undefined && { [beside]: true }) } }
    expect((await create(changes, { products })).code).toBe('PRODUCT_DISABLED')
    expect((await create(changes)).code).toBeUndefined()
  })

  it('a platform key, which has no tenant', async () => {
    expect((await create({}, { tenantId: null })).code).toBe('CUSTOMER_NOT_LOGGED')
  })

  it('and then leaves nothing behind, so that the next order is the first', async () => {
    const tenantId = harness.newTenant()
    for (const changes of [{ amountFrom: '0' }, { paymentMethodAllowed: {} }]) await create(changes, { tenantId })
    await create({ paymentMethodAllowed: { crypto: true } }, { tenantId, products: [] })
    const [counts] = await harness.query(
      `select (select count(*) from orders.payment_order where tenant_id = $1)::int as orders,
        (select count(*) from orders.order_event where tenant_id = $1)::int as events,
        (select count(*) from orders.order_count where tenant_id = $1)::int as counts`,
      [tenantId],
    )
    expect(counts).toEqual({ orders: 0, events: 0, counts: 0 })
  })
})

describe('what is accepted although it looks odd', () => {
  it('a card-to-fiat order whose receivers are labels', async () => {
    const { code } = await create({
      toChain: 'polygon',
      paymentMethodAllowed: { cardfiat: true },
      splitPaymentConfig: [{ receiverWallet: 'the shop', receiverPercent: '100', recipientId: 're_1' }],
    })
    expect(code).toBeUndefined()
  })

  it.each([[['70.1', '10.1', '19.8']], [['33.34', '33.33', '33.33']], [['99.9999999', '0.0000001']], [['100', '0']]])(
    'shares whose decimals sum to 100, whatever binary floats make of them: %j',
    async (percents) => {
      expect((await create(split(...percents))).code).toBeUndefined()
    },
  )
})

describe('the rules of a partial input', () => {
  const failures = (operation: string, input: object) => harness.send('inputFailures', { operation, input })

  it('are told without the fields that are absent', async () => {
    const input = { amountFrom: '0', gatewayMethod: 'SUBS', splitPaymentConfig: [null, { receiverPercent: '101' }] }
    const { answer } = await failures('create-order', { ...input, tenantData: { webhookUrl: 'http://a.example' } })
    expect((answer as unknown as { field: string }[]).map(({ field }) => field)).toEqual([
      'amountFrom',
      'splitPaymentConfig.1.receiverPercent',
      'subscriptionPaymentConfig',
      'tenantData.webhookUrl',
    ])
  })

  it('are those of the operation', async () => {
    const { answer } = await failures('update-order', { gatewayMethod: 'SUBS', amountFrom: '0' })
    expect(answer).toEqual([{ field: 'amountFrom', message: 'must be greater than 0' }])
    expect((await failures('list-orders', { page: 0 })).answer).toEqual([
      { field: 'page', message: 'must be at least 1' },
    ])
    expect((await failures('toggle-order', {})).answer).toEqual([])
  })
})
