import { describe, expect, it } from 'vitest'
import { cardFields, cardPayer, CARDS } from '../../sandbox/demo/card-payer.js'
import { RECEIVERS } from '../harness/chains.js'
import { fieldsOf, type Answer } from '../harness/http.js'
import { cardPaymentBody } from '../harness/rest-cards.js'
import { countPayments, CREATE_TRANSACTION, orderBody, REGISTER, registerBody } from '../harness/rest-payments.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()

const { post } = harness.tenant
const refusalOf = ({ status, body }: Answer) => [status, body.status, body.errors?.map(({ field }) => field)]

/** What nothing could pay, or what is no amount, and the field that says so: in a payment and in an order alike. */
const REFUSED: readonly [what: string, changes: object, field: string][] = [
  ['Pix for crypto alone', { payment_method_allowed: { cryptopix: true } }, 'payment_method_allowed'],
  ['both alone', { payment_method_allowed: { cryptopix: true, cryptofiat: true } }, 'payment_method_allowed'],
  ['a third decimal of BRL', { amount_from: '10.005' }, 'amount_from'],
  ['a third decimal of USD', { amount_from: '0.001', from_currency_symbol: 'USD' }, 'amount_from'],
  ['more than there is money', { amount_from: `1${'0'.repeat(29)}` }, 'amount_from'],
  [
    'more than can be charged',
    { amount_from: '10000000000', payment_method_allowed: { pixcrypto: true, cardcrypto: true, cryptopix: true } },
    'amount_from',
  ],
  [
    'a card to fiat without a recipient',
    {
      payment_method_allowed: { cardfiat: true },
      split_payment_config: [
        { receiver_wallet: 'a', receiver_percent: 50, recipient_id: 'rp_a' },
        { receiver_wallet: 'b', receiver_percent: 50 },
      ],
    },
    'split_payment_config.1.recipient_id',
  ],
  [
    'a card to fiat beside what cannot be paid',
    { payment_method_allowed: { cardfiat: true, cryptofiat: true } },
    'split_payment_config.0.recipient_id',
  ],
]

describe('terms that nothing can pay', () => {
  it.each(REFUSED)('are refused in a payment: %s', async (_what, changes, field) => {
    expect(refusalOf(await post(REGISTER, registerBody(harness.tenant, { ...changes })))).toEqual([
      400,
      'validation_error',
      [field],
    ])
  })

  it.each(REFUSED)('are refused in an order: %s', async (_what, changes, field) => {
    expect(refusalOf(await post('/order/create', orderBody({ ...changes })))).toEqual([
      400,
      'validation_error',
      [field],
    ])
  })

  it('are refused where an update of an order would make them', async () => {
    const id = await harness.tenant.createOrder()
    const patch = (body: object) => harness.rest('PATCH', `/order/${id}`, { as: harness.tenant, body })
    expect(refusalOf(await patch({ payment_method_allowed: { cardfiat: true } }))).toEqual([
      400,
      'validation_error',
      ['split_payment_config.0.recipient_id'],
    ])
    expect(refusalOf(await patch({ amount_from: '1.001' }))).toEqual([400, 'validation_error', ['amount_from']])
    expect(refusalOf(await patch({ payment_method_allowed: { cryptopix: true } }))).toEqual([
      400,
      'validation_error',
      ['payment_method_allowed'],
    ])
    const named = { receiver_wallet: 'shop', recipient_id: 'rp_shop0001' }
    const whole = await patch({ payment_method_allowed: { cardfiat: true }, split_payment_config: [named] })
    expect(whole.status).toBe(200)
    expect(refusalOf(await patch({ split_payment_config: [{ recipient_id: '' }] }))).toEqual([
      400,
      'validation_error',
      ['split_payment_config.0.recipient_id'],
    ])
  })

  it('are what is charged alone and cannot be: an order that a wallet pays may be of more', async () => {
    const id = await harness.tenant.createOrder()
    const patch = (body: object) => harness.rest('PATCH', `/order/${id}`, { as: harness.tenant, body })
    const isCharged = { payment_method_allowed: { pixcrypto: true, crypto: false } }
    expect((await patch({ ...isCharged, amount_from: '9999999999.99' })).status).toBe(200)
    expect(refusalOf(await patch({ amount_from: '10000000000' }))).toEqual([400, 'validation_error', ['amount_from']])
    const byWallet = { payment_method_allowed: { pixcrypto: true, crypto: true }, amount_from: '10000000000' }
    expect((await patch(byWallet)).status).toBe(200)
    expect(refusalOf(await patch(isCharged))).toEqual([400, 'validation_error', ['amount_from']])
  })
})

describe('a checkout of an order that nothing can pay', () => {
  it.each([
    ['no receiver', { split_payment_config: [] }, 'order_code: cannot be paid: it names no receiver'],
    [
      'no receiver on any chain',
      { to_chain: null, split_payment_config: [{ receiver_wallet: 'shop', receiver_percent: 100 }] },
      'order_code: cannot be paid: it names no chain, and not all of its receivers have an address on',
    ],
  ])('is refused with what the order lacks: %s', async (_what, changes, message) => {
    const orderCode = await harness.tenant.createOrder(changes)
    const answer = await post(REGISTER, { order_code: orderCode })
    expect(refusalOf(answer)).toEqual([400, 'validation_error', ['order_code']])
    expect(answer.body.message).toContain(message)
    expect(await countPayments(harness, orderCode)).toBe(0)
  })

  it('is refused in GraphQL alike', async () => {
    const orderCode = await harness.tenant.createOrder({ split_payment_config: [] })
    const mutation = `mutation Register($input: RegisterCheckoutPaymentInput!) {
      registerCheckoutPayment(input: $input) { payment { id } errors { code path } } }`
    const answer = await harness.graphql(mutation, { input: { orderCode } }, { as: harness.tenant })
    expect(answer.body.data).toEqual({
      registerCheckoutPayment: { payment: null, errors: [{ code: 'VALIDATION_ERROR', path: ['orderCode'] }] },
    })
  })

  it('is taken where the payer can name the chain', async () => {
    const split = [{ receiver_wallet: RECEIVERS[0], receiver_percent: 100 }]
    const orderCode = await harness.tenant.createOrder({ to_chain: null, split_payment_config: split })
    expect((await post(REGISTER, { order_code: orderCode })).status).toBe(201)
  })
})

describe('the picture of what is sold', () => {
  const withPicture = (image_url: string) => ({ order_items: [{ name: 'Shoe', quantity: 1, image_url }] })

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//x/y.png',
    'x.png',
  ])('is no %s', async (url) => {
    const refused = [400, 'validation_error', ['order_items.0.image_url']]
    expect(refusalOf(await post('/order/create', orderBody(withPicture(url))))).toEqual(refused)
    const id = await harness.tenant.createOrder()
    const patched = await harness.rest('PATCH', `/order/${id}`, { as: harness.tenant, body: withPicture(url) })
    expect(refusalOf(patched)).toEqual(refused)
  })

  it.each(['https://x.example/1.png', 'http://x.example/1.png'])('may be %s', async (url) => {
    expect((await post('/order/create', orderBody(withPicture(url)))).status).toBe(200)
  })
})

const NOBODY = 'c000000000000000000000000'
/** What a payment by card needs, but for what is within. */
const CARD_FIELDS = ['card_data', 'payer_document', 'payer_document_type', 'payer_email', 'payer_name', 'payer_phone']
const ADDRESS_FIELDS = ['country', 'state', 'city', 'neighborhood', 'street', 'street_number', 'zipcode']

describe('a payer who leaves something out', () => {
  const pay = (body: unknown) => post(CREATE_TRANSACTION, body)

  it.each<[body: object, fields: string[]]>([
    [{}, ['payer_email', 'payment_id', 'transaction_type']],
    [{ transaction_type: 'crypto' }, ['chain_name', 'payer_email', 'payer_token_symbol', 'payer_wallet', 'payment_id']],
    [{ transaction_type: 'pixcrypto' }, ['payer_cpf', 'payer_email', 'payment_id']],
    [{ transaction_type: 'fiatcrypto' }, ['payer_cpf', 'payer_email', 'payment_id']],
    [{ transaction_type: 'cardcrypto' }, [...CARD_FIELDS, 'payment_id']],
    [{ transaction_type: 'cardfiat' }, [...CARD_FIELDS, 'payment_id']],
  ])('names every field that %j lacks', async (body, fields) => {
    const answer = await pay(body)
    expect([answer.status, answer.body.status, fieldsOf(answer)]).toEqual([400, 'validation_error', fields])
    expect(answer.body.errors?.every(({ message }) => message.startsWith('is required'))).toBe(true)
  })

  it.each([
    ...['country_code', 'area_code', 'number'].map((name) => `payer_phone.${name}`),
    ...['installments', 'statement_descriptor', 'address', 'card'].map((name) => `card_data.${name}`),
    ...ADDRESS_FIELDS.map((name) => `card_data.address.${name}`),
    ...['number', 'holder_name', 'holder_document', 'cvv', 'brand', 'exp_month', 'exp_year'].map(
      (name) => `card_data.card.${name}`,
    ),
  ])('of a card needs %s', async (field) => {
    const body = cardPaymentBody(NOBODY, cardFields(CARDS.paid), { transaction_type: 'cardcrypto' })
    const answer = await pay(without(body, field))
    expect([answer.status, answer.body.status, fieldsOf(answer)]).toEqual([400, 'validation_error', [field]])
    // As it is, nothing is wrong with the body but that there is no such payment.
    expect((await pay(body)).body.status).toBe('payment_not_found')
  })

  it('of a card by its token needs to know where the payer is, and no complement of the address', async () => {
    const payer = cardPayer('ana@example.com', { card_token: 'token_1' })
    const body = { payment_id: NOBODY, transaction_type: 'cardfiat', ...payer }
    expect((await pay(body)).body.status).toBe('payment_not_found')
    expect(fieldsOf(await pay({ ...body, payer_ip: undefined, session_id: undefined }))).toEqual([
      'payer_ip',
      'session_id',
    ])
  })
})

/** A body without the field of a dotted path. */
function without(body: Record<string, unknown>, path: string): Record<string, unknown> {
  const [name = '', ...rest] = path.split('.')
  if (rest.length === 0) return { ...body, [name]: undefined }
  return { ...body, [name]: without(body[name] as Record<string, unknown>, rest.join('.')) }
}
