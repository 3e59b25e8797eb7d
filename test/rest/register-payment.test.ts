import { describe, expect, it } from 'vitest'
import { RECEIVERS } from '../harness/chains.js'
import { countPayments, REGISTER, registerBody } from '../harness/rest-payments.js'
import { startHarness } from '../harness/harness.js'
import { fieldsOf } from '../harness/http.js'

const harness = await startHarness()

const post = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  harness.rest('POST', REGISTER, { as: harness.tenant, body: registerBody(harness.tenant, changes), headers })
const postBody = (body: unknown) => harness.tenant.post(REGISTER, body)

describe('201 payment_registered', () => {
  it('answers the id in the envelope, and nothing else', async () => {
    const answer = await post()
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      statusCode: 201,
      success: true,
      status: 'payment_registered',
      message: 'Payment registered.',
      data: { payment_id: expect.stringMatching(/^c[a-z0-9]{24}$/) },
    })
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['x-request-id']).toMatch(/^c[a-z0-9]{24}$/)
  })

  it('ignores fields that it does not know, prototype keys included, and null as if it were not there', async () => {
    const body = JSON.stringify({ ...registerBody(harness.tenant), surprise: [1], metadata: null })
    const poisoned = `${body.slice(0, -1)},"__proto__":{"executor_id":"x"},"constructor":{"prototype":{"polluted":true}}}`
    expect((await postBody(poisoned)).status).toBe(201)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it.each([
    '"__proto__":{"executor_id":"x"}',
    String.raw`"\u005f_proto__":{"executor_id":"x"}`,
    '"constructor":{"prototype":{"polluted":true}}',
    String.raw`"constr\u0075ctor":{"prototype":{"polluted":true}}`,
  ])('keeps nothing of %s in what is stored as it is', async (poison) => {
    const body = JSON.stringify({ ...registerBody(harness.tenant), metadata: { cart: 1 } })
    const answer = await postBody(body.replace('"cart":1', `"cart":1,${poison}`))
    const { body: found } = await harness.graphql(
      'query ($id: ID!) { payment(id: $id) { metadata } }',
      { id: answer.body.data?.['payment_id'] },
      { as: harness.tenant },
    )
    expect(found['data']).toEqual({ payment: { metadata: { cart: 1 } } })
  })

  it('takes the last of two fields with the same name', async () => {
    const body = JSON.stringify(registerBody(harness.tenant))
    const answer = await postBody(`${body.slice(0, -1)},"amount_from":"7"}`)
    expect(await harness.tenant.statusOf(String(answer.body.data?.['payment_id']))).toMatchObject({
      amount_from: '7',
    })
  })

  it('writes an amount without zeros in front, and otherwise as it was sent', async () => {
    const id = await harness.tenant.register({ amount_from: '00100.50' })
    expect(await harness.tenant.statusOf(id)).toMatchObject({ amount_from: '100.50' })
    const small = await harness.tenant.register({ amount_from: '00.50' })
    expect(await harness.tenant.statusOf(small)).toMatchObject({ amount_from: '0.50' })
  })

  it('keeps percentages exactly as they were written', async () => {
    const terms = split([33.333333, 33.333333, 33.333334])
    const id = await harness.tenant.register(terms)
    expect(await harness.tenant.statusOf(id)).toMatchObject(terms)
  })

  it('takes a card-to-fiat payment whose receivers are named by any text', async () => {
    const split = [{ receiver_wallet: 'seller 1', receiver_percent: 100, recipient_id: 're_1', liable: true }]
    const answer = await post({ payment_method_allowed: { cardfiat: true }, split_payment_config: split })
    expect(answer.status).toBe(201)
  })

  it('takes none whose money nobody would get: each receiver needs a recipient_id, unless it is paid on chain', async () => {
    const split = [
      { receiver_wallet: RECEIVERS[0], receiver_percent: 60, recipient_id: 're_1' },
      { receiver_wallet: RECEIVERS[1], receiver_percent: 40 },
    ]
    const answer = await post({ payment_method_allowed: { cardfiat: true }, split_payment_config: split })
    expect([answer.status, answer.body.errors?.map(({ field }) => field)]).toEqual([
      400,
      ['split_payment_config.1.recipient_id'],
    ])
    const both = { cardfiat: true, cardcrypto: true }
    expect((await post({ payment_method_allowed: both, split_payment_config: split })).status).toBe(201)
  })
})

describe('400 validation_error', () => {
  it.each([[[1]], ['text'], [7], [true]])('refuses %j as metadata, which is an object', async (metadata) => {
    expect(fieldsOf(await post({ metadata }))).toEqual(['metadata'])
  })

  it('names the methods that can be paid where only cryptopix and cryptofiat are allowed', async () => {
    const answer = await post({ payment_method_allowed: { cryptopix: true, cryptofiat: true } })
    const message = 'must allow at least one of crypto, pixcrypto, cardcrypto, cardfiat'
    expect(answer.body.errors).toEqual([{ field: 'payment_method_allowed', message }])
    expect((await post({ payment_method_allowed: { cryptopix: true, crypto: true } })).status).toBe(201)
  })

  it('names every field of an empty object', async () => {
    const answer = await postBody({})
    expect(answer.body).toMatchObject({ statusCode: 400, success: false, status: 'validation_error' })
    expect(answer.body.data).toBeUndefined()
    expect(fieldsOf(answer)).toEqual([
      'amount_from',
      'executor_id',
      'from_currency_symbol',
      'gateway_method',
      'on_ramp',
      'payment_method_allowed',
      'split_payment_config',
      'tenant_data',
      'to_chain',
      'to_currency_symbol',
    ])
  })

  it('lists wrong forms and broken rules of one body at once', async () => {
    const answer = await post({
      executor_id: 'order_transaction',
      tenant_data: { public_client_id: 'nonsense', webhook_url: 'nonsense' },
      payment_method_allowed: { crypto: 'yes', pixcrypto: true },
      split_payment_config: [
        { receiver_wallet: 'nobody', receiver_percent: 101 },
        { receiver_wallet: 7 },
        'not an object',
      ],
      gateway_method: 'DIRECT',
      from_currency_symbol: 'XXX',
      amount_from: '0',
      to_currency_symbol: 'DOGE',
      on_ramp: true,
    })
    expect(answer.body.status).toBe('validation_error')
    expect(fieldsOf(answer)).toEqual([
      'amount_from',
      'executor_id',
      'from_currency_symbol',
      'gateway_method',
      'on_ramp',
      'payment_method_allowed.crypto',
      'split_payment_config.0.receiver_percent',
      'split_payment_config.0.receiver_wallet',
      'split_payment_config.1.receiver_percent',
      'split_payment_config.1.receiver_wallet',
      'split_payment_config.2',
      'tenant_data.public_client_id',
      'tenant_data.webhook_url',
      'to_currency_symbol',
    ])
  })

  const cases: [string, Record<string, unknown>, string[]][] = [
    ['percentages that do not sum to 100', split([70, 29.99]), ['split_payment_config']],
    ['percentages that sum to a little more than 100', split([70, 30.000001]), ['split_payment_config']],
    [
      'a share with more decimals than a chain can share out',
      split([99.99999999999999, 9.999e-15, 5e-19, 5e-19]),
      ['split_payment_config.2.receiver_percent', 'split_payment_config.3.receiver_percent'],
    ],
    [
      'a percentage below zero',
      split([-1, 101]),
      ['split_payment_config.0.receiver_percent', 'split_payment_config.1.receiver_percent'],
    ],
    ['no receiver at all', { split_payment_config: [] }, ['split_payment_config']],
    ['a split that is no array', { split_payment_config: {} }, ['split_payment_config']],
    ['no method', { payment_method_allowed: { crypto: false } }, ['payment_method_allowed']],
    ['Pix on an on-ramp', { on_ramp: true, payment_method_allowed: { pixcrypto: true } }, ['on_ramp']],
    ['an amount that is a number', { amount_from: 100 }, ['amount_from']],
    ['an amount below zero', { amount_from: '-1' }, ['amount_from']],
    ['an amount with an exponent', { amount_from: '1e3' }, ['amount_from']],
    ['a chain that is not enabled', { to_chain: 'dogechain' }, ['to_chain']],
    ['a token that its chain does not have', { to_currency_symbol: 'usdt' }, ['to_currency_symbol']],
    [
      'a receiver with a bad checksum',
      {
        split_payment_config: [
          { receiver_wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('5a', '5A'), receiver_percent: 100 },
        ],
      },
      ['split_payment_config.0.receiver_wallet'],
    ],
    [
      'a URL that is none',
      { tenant_data: { ...harness.tenant.tenantData, webhook_url: 'ftp://x' } },
      ['tenant_data.webhook_url'],
    ],
    [
      'a webhook on a private network',
      { tenant_data: { ...harness.tenant.tenantData, webhook_url: 'http://10.0.0.1/' } },
      ['tenant_data.webhook_url'],
    ],
    ['a boolean written as text', { on_ramp: 'false' }, ['on_ramp']],
  ]
  it.each(cases)('refuses %s', async (_what, changes, fields) => {
    const answer = await post(changes)
    expect([answer.status, answer.body.status, fieldsOf(answer)]).toEqual([400, 'validation_error', fields])
    expect(answer.body.message).toBe(`${answer.body.errors?.[0]?.field}: ${answer.body.errors?.[0]?.message}`)
  })

  it('refuses texts that the database cannot keep: NUL and lone surrogates, also in names and values of metadata', async () => {
    const nul = '\u0000'
    const lone = '\ud800'
    for (const bad of [nul, lone]) {
      for (const metadata of [bad, { a: [{ b: `x${bad}` }] }, { [`k${bad}`]: 1 }]) {
        expect(fieldsOf(await post({ metadata }))).toEqual(['metadata'])
      }
      const split = [{ receiver_wallet: RECEIVERS[0], receiver_percent: 100, recipient_id: `a${bad}` }]
      expect(fieldsOf(await post({ split_payment_config: split }))).toEqual(['split_payment_config.0.recipient_id'])
      expect((await post({ to_chain: `polygon${bad}` })).status).toBe(400)
      expect((await post({ executor_id: bad })).status).toBe(400)
    }
    expect((await post({ metadata: { emoji: '🦊' } })).status).toBe(201)
  })

  it('refuses metadata that is nested too deeply', async () => {
    const deep = `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`
    const body = JSON.stringify(registerBody(harness.tenant))
    const answer = await postBody(`${body.slice(0, -1)},"metadata":${deep}}`)
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['metadata']])
  })

  it('writes nothing', async () => {
    const before = await countPayments(harness)
    await post({ amount_from: '0' })
    await postBody({})
    expect(await countPayments(harness)).toBe(before)
  })
})

describe('403 product_disabled', () => {
  it('comes after the body was checked, and before the order is looked for', async () => {
    const poor = await harness.dashboard.newTenant({ products: ['crypto'] })
    const call = (body: unknown) => harness.rest('POST', REGISTER, { as: poor, body })
    const pix = { payment_method_allowed: { pixcrypto: true } }
    expect((await call(registerBody(poor, pix))).body).toMatchObject({ statusCode: 403, status: 'product_disabled' })
    expect((await call(registerBody(poor, { ...pix, amount_from: '0' }))).status).toBe(400)
    const unknown = { order_code: 'c000000000000000000000000', payment_method_allowed: { cardfiat: true } }
    expect((await call(unknown)).status).toBe(403)
  })
})

function split(percents: number[]): Record<string, unknown> {
  return {
    split_payment_config: percents.map((percent, index) => ({
      receiver_wallet: `0x${String(index + 1).repeat(40)}`,
      receiver_percent: percent,
    })),
  }
}
