import { cardFields, cardPayer } from '../../sandbox/demo/card-payer.js'
import { describe, expect, it } from 'vitest'
import { cardPaymentBody } from '../harness/rest-cards.js'
import { CREATE_TRANSACTION, transactionBody } from '../harness/rest-payments.js'
import { startHarness } from '../harness/harness.js'
import { fieldsOf } from '../harness/http.js'

const harness = await startHarness()

const { get } = harness.tenant

describe('GET /config/products', () => {
  it('answers what both the deployment and the tenant have', async () => {
    const poor = await harness.dashboard.newTenant({ products: ['crypto', 'kyc'] })
    const answer = await harness.rest('GET', '/config/products', { as: poor })
    expect(answer.body).toEqual({
      statusCode: 200,
      success: true,
      status: 'products_retrieved',
      message: expect.any(String),
      data: { crypto: true, pix: false, credit_card: false, kyc: true, yield: false },
    })
  })
})

describe('POST /payment/card/tokenize', () => {
  it('answers 201 card_tokenized, with the five keys of data at the top level too', async () => {
    const body = { type: 'card', card: cardFields('4000000000000010', { brand: undefined, exp_year: 35 }) }
    const answer = await harness.tenant.post('/payment/card/tokenize', body)
    const { data, ...beside } = answer.body
    expect(data).toEqual({
      id: expect.stringMatching(/^token_/),
      type: 'card',
      created_at: expect.any(String),
      expires_at: expect.any(String),
      card: expect.objectContaining({ first_six_digits: '400000', last_four_digits: '0010', exp_year: 2035 }),
    })
    expect(Date.parse(String(data?.['expires_at'])) - Date.parse(String(data?.['created_at']))).toBe(60_000)
    const envelope = { statusCode: 201, success: true, status: 'card_tokenized', message: 'Card tokenized.' }
    expect(beside).toEqual({ ...envelope, ...data })
  })
})

describe('GET /quote/market', () => {
  it('answers a market with prices both ways as decimal strings', async () => {
    const answer = await get('/quote/market?from=ETH&to=BRL')
    expect([answer.status, answer.body.status]).toEqual([200, 'quote_ok'])
    expect(answer.body.data).toMatchObject({
      symbol: 'ETHBRL',
      price: '18250.5',
      market: { symbol: 'ETHBRL', price: '18250.5' },
      requested: { from: 'ETH', to: 'BRL', price: '18250.5' },
      rates: [
        { from: 'ETH', to: 'BRL', price: '18250.5' },
        { from: 'BRL', to: 'ETH', price: expect.stringMatching(/^0\.0000\d+$/) },
      ],
    })
    expect(answer.body.data).not.toHaveProperty('route')
  })

  it('crosses through USDT, and says by which legs', async () => {
    const answer = await get('/quote/market?from=POL&to=BRL')
    expect(answer.body.data).toMatchObject({
      route: { type: 'via_usdt', legs: [{ symbol: 'POLUSDT' }, { symbol: 'USDTBRL' }] },
    })
  })

  it.each([
    'pair=ETHUSDT',
    'try_one=ETH&try_two=USDT',
    'try_one=ETHUSDT&try_two=USDTETH',
    'try_one=NOPEX&try_two=ETHUSDT',
  ])('takes %s', async (query) => {
    expect((await get(`/quote/market?${query}`)).body.data).toMatchObject({ symbol: 'ETHUSDT', price: '3367.25' })
  })

  it.each(['', '?from=ETH', '?to=BRL', '?pair=', '?from=&to=', '?try_one=ETH', '?from=ETH&from=BTC&to=BRL'])(
    '%s is params_mismatch',
    async (query) => {
      const answer = await get(`/quote/market${query}`)
      expect([answer.status, answer.body.status]).toEqual([400, 'params_mismatch'])
    },
  )

  /** How many calls the exchange's simulator has had, whatever it answered to them. */
  const callsOfExchange = async (): Promise<number> => {
    const answer = await fetch(`${harness.priceUrl}/sandbox/calls`)
    return ((await answer.json()) as { count: number }).count
  }

  it('asks the exchange for a market that it has not asked for', async () => {
    const before = await callsOfExchange()
    await get('/quote/market?from=SOL&to=USDT')
    expect(await callsOfExchange()).toBeGreaterThan(before)
  })

  it.each([
    '?from=%00&to=BRL',
    '?from=%ED%A0%80&to=BRL',
    '?pair=../../etc',
    '?from=__proto__&to=constructor',
    `?pair=${'A'.repeat(2000)}`,
  ])('%s is refused as 400 and asks the exchange for nothing', async (query) => {
    const before = await callsOfExchange()
    const answer = await get(`/quote/market${query}`)
    expect(answer.status).toBe(400)
    expect(await callsOfExchange()).toBe(before)
  })
})

describe('GET /sandbox/clock', () => {
  it("answers the sandbox's time, which moving it changes", async () => {
    const now = async () => {
      const { text } = await harness.rest('GET', '/sandbox/clock')
      return Date.parse((JSON.parse(text) as { now: string }).now)
    }
    const before = await now()
    harness.clock.advance(3_600_000)
    expect(await now()).toBeGreaterThanOrEqual(before + 3_600_000)
  })
})

describe('POST /payment/register/intents-create-transaction', () => {
  const post = (body: unknown) => harness.tenant.post(CREATE_TRANSACTION, body)
  /** Registers a payment from an order, which needs no verified payer. */
  const checkout = async (terms: Record<string, unknown>): Promise<string> =>
    harness.tenant.register({ order_code: await harness.tenant.createOrder(terms), ...terms })

  it('answers 201 with the transaction, and a line for the kind that does not apply', async () => {
    const payer = await harness.chain.newPayer()
    const id = await harness.tenant.register()
    const answer = await post(transactionBody(id, payer.address))
    expect(answer.body).toEqual({
      statusCode: 201,
      success: true,
      status: 'payment_registered',
      message: expect.any(String),
      data: {
        payment_id: id,
        session_payment: expect.stringMatching(/^http/),
        crypto_tx: expect.objectContaining({ family: 'evm', schema_version: 1 }),
        fiat_tx: 'Not applicable to crypto payments.',
      },
    })
  })

  it('names the fields that crypto needs, together with wrong forms', async () => {
    const answer = await post({ payment_id: 7, transaction_type: 'crypto', payer_email: 'nobody' })
    expect([answer.status, fieldsOf(answer)]).toEqual([
      400,
      ['chain_name', 'payer_email', 'payer_token_symbol', 'payer_wallet', 'payment_id'],
    ])
  })

  it('answers the whole Pix charge, and a line in place of the transaction on a chain', async () => {
    const id = await checkout({ payment_method_allowed: { pixcrypto: true } })
    const pix = { payment_id: id, transaction_type: 'pixcrypto', payer_email: 'ana@example.com' }
    const { status, body } = await post({ ...pix, payer_cpf: '529.982.247-25' })
    expect([status, body.status]).toEqual([201, 'payment_registered'])
    expect(body.data).toEqual({
      payment_id: id,
      session_payment: expect.stringMatching(/^http/),
      crypto_tx: 'Not applicable to pixcrypto payments.',
      fiat_tx: {
        status: 'ATIVA',
        pix_key: expect.any(String),
        txid: expect.stringMatching(/^[A-Za-z0-9]{26,35}$/),
        pixCopiaECola: expect.stringMatching(/^000201.*6304[0-9A-F]{4}$/),
        pix_qr_code_data_url: expect.stringMatching(/^data:image\/png;base64,iVBOR/),
        calendar: { criacao: expect.stringMatching(/^\d{4}-.*Z$/), expiracao: expect.any(Number) },
        code: expect.any(String),
      },
    })
  })

  it.each([
    [{ payer_wallet: 'nobody' }, ['payer_wallet']],
    [{ chain_name: 'dogechain' }, ['chain_name']],
    [{ payer_token_symbol: 'DOGE' }, ['payer_token_symbol']],
    [{ transaction_type: 'barter' }, ['transaction_type']],
    [{ payer_email: 'a@b' }, ['payer_email']],
    [{ payer_email: 'a\u0000@example.com' }, ['payer_email']],
  ])('refuses %j', async (changes, fields) => {
    const id = await harness.tenant.register()
    const answer = await post({ ...transactionBody(id, '0x1111111111111111111111111111111111111111'), ...changes })
    expect([answer.status, answer.body.status, fieldsOf(answer)]).toEqual([400, 'validation_error', fields])
  })

  it('answers 201 to a refused card, and says why', async () => {
    const id = await checkout({ payment_method_allowed: { cardcrypto: true } })
    const pay = (number: string) => post(cardPaymentBody(id, cardFields(number), { transaction_type: 'cardcrypto' }))
    const refused = await pay('4000000000000028')
    const message = 'The card was declined by its issuer.'
    expect(refused.body).toMatchObject({
      statusCode: 201,
      success: true,
      message,
      data: {
        payment_id: id,
        data_error: { code: 'card_declined', message },
        crypto_tx: 'Not applicable to cardcrypto payments.',
        fiat_tx: 'Not applicable to cardcrypto payments.',
      },
    })
    const { body } = await get(`/payment/${id}/status`)
    expect(body.data).toMatchObject({ status: 'reproved', data_error: { code: 'card_declined', details: null } })
    expect(body.data?.['global_payment_data']).toMatchObject({
      status: 'failed',
      amount: 10_000,
      currency: 'BRL',
      charges: [
        {
          status: 'failed',
          payment_method: 'credit_card',
          last_transaction: {
            status: 'not_authorized',
            success: false,
            gateway_response: { code: '200', errors: [] },
          },
        },
      ],
    })
    const paid = await pay('4000000000000010')
    expect(paid.body.message).toBe('Transaction created.')
    expect(paid.body.data).not.toHaveProperty('data_error')
  })

  it('answers 201 to a token that was used, and says why as the payment does', async () => {
    const card = cardFields('4000000000000010', { brand: undefined })
    const { body: tokenized } = await harness.tenant.post('/payment/card/tokenize', { type: 'card', card })
    const pay = async (id: string) => {
      const payer = cardPayer('ana@example.com', { card_token: tokenized.data?.['id'] })
      return post({ payment_id: id, transaction_type: 'cardcrypto', ...payer })
    }
    const terms = { payment_method_allowed: { cardcrypto: true } }
    expect((await pay(await checkout(terms))).body.message).toBe('Transaction created.')
    const id = await checkout(terms)
    const refused = await pay(id)
    const reason = { code: 'card_token_invalid', message: 'The card token is not known, was used, or has expired.' }
    expect([refused.status, refused.body.message]).toEqual([201, reason.message])
    expect(refused.body.data).toMatchObject({ payment_id: id, data_error: reason })
    expect((await get(`/payment/${id}/status`)).body.data).toMatchObject({ status: 'error', data_error: reason })
  })

  it('refuses a type that the payment does not allow', async () => {
    const id = await harness.tenant.register({ payment_method_allowed: { pixcrypto: true } })
    const answer = await post(transactionBody(id, '0x1111111111111111111111111111111111111111'))
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['transaction_type']])
  })
})

describe('the paths of identity verification', () => {
  it('are product_disabled where it is off, known or not and by any method, and unknown where it is on', async () => {
    const without = await harness.dashboard.newTenant({ products: ['crypto'] })
    for (const [method, path, status] of [
      ['POST', '/kyc/unknown', 404],
      ['GET', '/kyc/create/foo', 405],
      ['POST', '/security/a/b', 404],
      ['DELETE', '/kyc/prepare', 405],
    ] as const) {
      const { body } = await harness.rest(method, path, { as: without })
      expect([path, body.statusCode, body.status]).toEqual([path, 403, 'product_disabled'])
      expect((await harness.rest(method, path, { as: harness.tenant })).status).toBe(status)
      expect((await harness.rest(method, path)).status).toBe(status)
    }
    expect((await harness.rest('GET', '/kycs/x', { as: without })).status).toBe(404)
  })
})

describe('GET /payment/:id/status', () => {
  it('shows the payment type of the record, which knows no fiatcrypto', async () => {
    const id = await harness.tenant.register()
    await harness.sql(`update payments.payment set transaction_type = 'fiatcrypto' where id = $1`, [id])
    const { body } = await get(`/payment/${id}/status`)
    expect(body.data).toMatchObject({ id, transaction_type: 'pixcrypto' })
  })

  it('knows no payment by a text that cannot be kept', async () => {
    for (const id of ['%00', 'c%00']) {
      const { status, body } = await get(`/payment/${id}/status`)
      expect([status, body.status]).toEqual([404, 'payment_not_found'])
    }
  })
})

describe('POST /sandbox/clock', () => {
  it('is for the platform key alone', async () => {
    const move = (as: string | undefined) =>
      harness.rest('POST', '/sandbox/clock', { as, body: { advance_seconds: 1 } })
    const unknown = `sk_test_${'a'.repeat(40)}`
    for (const key of [undefined, harness.tenant.key, unknown]) expect((await move(key)).status).toBe(403)
    expect((await move(await harness.dashboard.platformKey())).status).toBe(200)
  })

  it.each([1.5, 0, -1, '5', null, 1e12])('refuses %s seconds', async (seconds) => {
    const as = await harness.dashboard.platformKey()
    const answer = await harness.rest('POST', '/sandbox/clock', { as, body: { advance_seconds: seconds } })
    expect(answer.status).toBe(400)
  })
})
