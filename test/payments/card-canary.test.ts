import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Answer, send } from '../harness/http.js'
import { needlesOf, newCardNumber, wholeDatabase, wholeFolder } from '../harness/card-canary.js'
import { ownFolder } from '../harness/at-end.js'
import { BILLING_ADDRESS, cardFields, cardPayer } from '../../sandbox/demo/card-payer.js'
import { cardPaymentBody, cardTerms } from '../harness/rest-cards.js'
import { ownDatabase } from '../harness/database.js'
import { CREATE_TRANSACTION, orderBody } from '../harness/rest-payments.js'
import { startProductProcess } from '../harness/product-process.js'
import { until } from '../harness/until.js'
import { startWebhookReceiver } from '../harness/webhook-receiver.js'
import { postJson } from '../harness/control.js'

/** Security codes that nothing else here looks like; one that starts with 6 is refused by its issuer. */
const CVV = '7391'
const REFUSED_CVV = '6391'

const numbers: string[] = []
const answers: Answer[] = []

const { url: databaseUrl } = await ownDatabase()
const dataDir = await ownFolder()
const hooks = await startWebhookReceiver()
const environment = { MODE: 'sandbox', DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'debug' }
/** The product as a process of its own, which logs everything that it ever logs. */
const product = await startProductProcess({ ...environment, RATE_LIMIT_PER_MINUTE: '0' })
const sandbox = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')) as Record<
  'api_key' | 'public_client_id' | 'webhook_secret' | 'card_url',
  string
>

/** A card's number that is looked for in the end. */
function canary(): string {
  const number = newCardNumber()
  numbers.push(number)
  return number
}

const card = (changes: object = {}) => cardFields(canary(), { cvv: CVV, ...changes })
const body = (paymentId: string, cardChanges: object = {}, changes: object = {}) =>
  cardPaymentBody(paymentId, card(cardChanges), changes)

async function call(method: string, path: string, content: unknown, headers: Record<string, string> = {}) {
  const answer = await send({
    method,
    url: product.url + path,
    headers: { 'x-api-key': sandbox.api_key, 'content-type': 'application/json', ...headers },
    body: content === undefined ? undefined : typeof content === 'string' ? content : JSON.stringify(content),
  })
  answers.push(answer)
  return answer
}

const orders = new Map<string, string>()

/** A checkout payment of an order whose second receiver has this recipient at the processor. */
async function register(recipient = 'rp_partner2'): Promise<string> {
  const tenantData = {
    public_client_id: sandbox.public_client_id,
    webhook_url: hooks.addressOf('demo', sandbox.webhook_secret),
  }
  const order =
    orders.get(recipient) ??
    (
      await call(
        'POST',
        '/order/create',
        orderBody({ ...cardTerms(['rp_shop0001', recipient]), tenant_data: tenantData }),
      )
    ).body.data?.['order_id']
  orders.set(recipient, String(order))
  const path = '/payment/register/intents-create-order'
  const answer = await call('POST', path, { order_code: order, tenant_data: tenantData })
  if (answer.status !== 201) throw new Error(answer.text)
  return String(answer.body.data?.['payment_id'])
}

const pay = async (cardChanges: object = {}, changes: object = {}, headers: Record<string, string> = {}) => {
  const id = await register()
  const answer = await call('POST', CREATE_TRANSACTION, body(id, cardChanges, changes), headers)
  return { id, answer, ...(await statusOf(id)) }
}
const statusOf = async (id: string) => {
  const answer = await call('GET', `/payment/${id}/status`, undefined)
  return answer.body.data as { status: string; global_payment_data: { charges: { id: string }[] } | null }
}
const tokenize = (changes: object = {}) => call('POST', '/payment/card/tokenize', { type: 'card', card: card(changes) })
const control = (path: string, content: object) => postJson(`${sandbox.card_url}/sandbox${path}`, content)

describe('the numbers and codes of cards', () => {
  it('go through everything that ends well, or is refused by issuer or antifraud', async () => {
    expect((await pay()).status).toBe('success')
    expect((await pay({ cvv: REFUSED_CVV })).status).toBe('reproved')
    // Wherever the payer lives: the first address is in Brazil.
    for (const address of [BILLING_ADDRESS, { ...BILLING_ADDRESS, country: 'US' }]) {
      const id = await register()
      const sent = body(id, {}, { payer_document: '11111111111', payer_document_type: 'PASSPORT' })
      Object.assign(sent['card_data'] as object, { address })
      expect((await call('POST', CREATE_TRANSACTION, sent)).status).toBe(201)
      expect((await statusOf(id)).status).toBe('reproved')
    }
    expect((await pay({ holder_name: canary() })).status).toBe('success')
    const token = await tokenize()
    expect(token.status).toBe(201)
    expect(token.body).toMatchObject({
      status: 'card_tokenized',
      data: {
        type: 'card',
        card: { last_four_digits: numbers.at(-1)?.slice(-4), holder_name: 'ANA SILVA', brand: 'Visa' },
      },
    })
    const byToken = cardPayer('ana@example.com', { card_token: token.body.data?.['id'] })
    expect((await pay({}, byToken)).status).toBe('success')
  })

  it('go through chargeback, refund and callbacks, forged ones too', async () => {
    for (const what of ['chargeback', 'refund']) {
      const { id, global_payment_data: order } = await pay()
      await control(`/charges/${order?.charges[0]?.id ?? ''}/${what}`, {})
      await until(`the ${what} is known`, async () => {
        const { returns } = (await statusOf(id)).global_payment_data as unknown as { returns: unknown[] }
        return returns.length === 1
      })
    }
    const forged = { id: canary(), type: 'order.paid', data: { code: canary(), card: card() } }
    expect((await call('POST', '/callbacks/card/', forged, { authorization: `Basic ${btoa('x:y')}` })).status).toBe(404)
    const state = JSON.parse(await readFile(join(dataDir, 'sandbox-state.json'), 'utf8')) as {
      secrets: Record<string, string>
    }
    const authorization = `Basic ${btoa(`sandbox:${state.secrets['card-callback-password'] ?? ''}`)}`
    expect((await call('POST', '/callbacks/card/', forged, { authorization })).status).toBe(200)
    expect((await call('POST', '/callbacks/card/', `{"number":"${canary()}"`, { authorization })).status).toBe(200)
  })

  it('go through the errors of bodies, keys and paths', async () => {
    const id = await register()
    const invalid = [
      body(id, { cvv: 7391 }),
      body(id, { number: Number(canary()) }),
      body(id, { number: [canary()] }),
      body(id, { number: `${canary()}0000` }),
      body(id, { exp_month: canary(), exp_year: canary(), brand: null }),
      body(id, {}, { card_data: canary() }),
      body(id, {}, { payer_document: canary(), payer_document_type: canary(), payer_phone: canary() }),
      body(id, {}, { transaction_type: canary(), payer_email: canary() }),
      body('cnobody000000000000000000'),
      `{"card": {"number": "${canary()}", "cvv": "${CVV}"`,
      `"${canary()}"`,
      { ...body(id), padding: 'x'.repeat(300_000) },
    ]
    for (const sent of invalid) {
      expect((await call('POST', CREATE_TRANSACTION, sent)).status).toBeGreaterThanOrEqual(400)
    }
    expect((await tokenize({ number: `${canary()}1`, cvv: '7391739' })).status).toBe(400)
    expect((await call('POST', '/payment/card/tokenize', { type: canary(), card: canary() })).status).toBe(400)
    expect((await call('POST', CREATE_TRANSACTION, body(id), { 'x-api-key': 'sk_test_no' })).status).toBe(401)
    expect((await call('POST', CREATE_TRANSACTION, body(id), { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await call('PUT', CREATE_TRANSACTION, body(id))).status).toBe(405)
    expect((await call('POST', '/payment/card/nothing', body(id))).status).toBe(404)
    expect((await statusOf(id)).status).toBe('registered')
  })

  it('go through idempotency keys: replayed, reused, and with a failure', async () => {
    const headers = { 'idempotency-key': 'canary' }
    const id = await register()
    const sent = body(id)
    expect((await call('POST', CREATE_TRANSACTION, sent, headers)).status).toBe(201)
    expect((await call('POST', CREATE_TRANSACTION, sent, headers)).headers['idempotent-replayed']).toBe('true')
    expect((await call('POST', CREATE_TRANSACTION, body(id), headers)).status).toBe(422)
    const tokenBody = { type: 'card', card: card() }
    const first = await call('POST', '/payment/card/tokenize', tokenBody, { 'idempotency-key': 'token' })
    const second = await call('POST', '/payment/card/tokenize', tokenBody, { 'idempotency-key': 'token' })
    expect(second.body.data).toEqual(first.body.data)
  })

  it('go through GraphQL: variables, wrong ones, literals, and documents that cannot be read', async () => {
    const graphql = (text: string, variables: object = {}) =>
      call('POST', '/graphql', { query: text, variables }, { 'idempotency-key': `graphql-${numbers.length}` })
    const mutation =
      'mutation T($input: TokenizeCardInput!) { tokenizeCard(input: $input) { cardToken { id card { lastFourDigits } } errors { code path } } }'
    const good = () => ({
      number: canary(),
      holderName: 'ANA SILVA',
      holderDocument: '52998224725',
      cvv: CVV,
      expMonth: 12,
      expYear: 2039,
    })
    const ok = await graphql(mutation, { input: { card: good() } })
    expect(ok.body['data']).toMatchObject({ tokenizeCard: { errors: [] } })
    const { id } = await pay()
    const query = 'query P($id: ID!) { payment(id: $id) { card { brand lastFourDigits holderName } } }'
    expect((await graphql(query, { id })).body['data']).toEqual({
      payment: { card: { brand: 'Visa', lastFourDigits: numbers.at(-1)?.slice(-4), holderName: 'ANA SILVA' } },
    })
    for (const wrong of [{ cvv: 7391 }, { expMonth: canary() }, { number: { x: canary() } }, { [`n${canary()}`]: 1 }]) {
      const answer = await graphql(mutation, { input: { card: { ...good(), ...wrong } } })
      expect(answer.body['errors']).toBeDefined()
    }
    expect((await graphql(mutation, { input: { type: canary(), card: good() } })).body['errors']).toBeDefined()
    const literal = (number: string) =>
      `mutation { tokenizeCard(input: {card: {number: ${number}, holderName: "A", holderDocument: "1", cvv: "${CVV}", expMonth: 12, expYear: 2039}}) { cardToken { id } errors { code path } } }`
    const refused = await graphql(literal(JSON.stringify(canary())))
    expect(refused.text).toContain("TokenizedCardInput.number must not be written into the query's text")
    for (const number of [canary(), `"${canary()}`, `"${canary()}" "${canary()}"`, `n${canary()}`, `$n${canary()}`]) {
      expect((await graphql(literal(number))).body['errors']).toBeDefined()
    }
  })

  it('go through every failure of the processor', { timeout: 60_000 }, async () => {
    for (const mode of ['down', 'error', 'drop-answer']) {
      for (const times of [1, 4]) {
        await control('/faults', { mode, times })
        await pay()
        await control('/faults', { mode, times: 1 })
        // The worker's own questions may meet the failure first.
        expect([201, 502]).toContain((await tokenize()).status)
        await control('/faults', { mode: 'ok' })
      }
    }
    await control('/faults', { mode: 'slow', ms: 11_000, times: 1 })
    expect([201, 504]).toContain((await pay()).answer.status)
    // The processor's own refusal, which quotes the request: it knows no such recipient.
    const refused = await call('POST', CREATE_TRANSACTION, body(await register('nobody')))
    expect(refused).toMatchObject({ status: 201, body: { data: { data_error: { code: 'provider_rejected' } } } })
  })

  it(
    'are nowhere after that: not in the log, the database, webhooks, answers or files',
    { timeout: 60_000 },
    async () => {
      expect(numbers.length).toBeGreaterThan(40)
      await until('the webhooks came', () => hooks.received.some(({ type }) => type === 'payment.disputed'))
      const places = {
        log: product.output(),
        database: await wholeDatabase(databaseUrl),
        webhooks: JSON.stringify(hooks.received) + hooks.refused.join(''),
        answers: answers.map(({ text, headers }) => text + JSON.stringify(headers)).join('\n'),
        files: await wholeFolder(dataDir),
      }
      expect(places.log).toContain('provider answered')
      expect(places.database).toContain('rp_shop0001')
      expect(hooks.refused).toEqual([])
      const found = Object.entries(places).flatMap(([place, text]) =>
        needlesOf(numbers, [CVV, REFUSED_CVV]).flatMap((needle) => {
          const at = text.search(needle)
          return at < 0 ? [] : [`${place}: …${text.slice(Math.max(at - 120, 0), at + 40)}…`]
        }),
      )
      expect(found).toEqual([])
    },
  )
})
