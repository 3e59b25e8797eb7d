import { describe, expect, it } from 'vitest'
import { send } from '../../test/harness/http.js'
import { startHarness } from '../../test/harness/harness.js'

const harness = await startHarness()
const STREAM = 'text/event-stream'

function post(query: string, accept: string, more: { variables?: object; headers?: Record<string, string> } = {}) {
  const headers = { 'content-type': 'application/json', 'x-api-key': harness.tenant.key, accept, ...more.headers }
  const body = JSON.stringify({ query, variables: more.variables })
  return send({ method: 'POST', url: `${harness.url}/graphql`, headers, body })
}

/** The one result of a stream that says that it is complete. */
function resultIn(text: string): unknown {
  const [, data = ''] = /^event: next\ndata: (.*)\n\nevent: complete\ndata: \n\n$/.exec(text) ?? []
  return JSON.parse(data)
}

describe('a client that takes nothing but a stream', () => {
  it('has the result of a query as one, each time', async () => {
    const query = '{ products { pix } }'
    const json = await post(query, 'application/json')
    for (const accept of [
      STREAM,
      `${STREAM};q=1, text/html`,
      `${STREAM}, application/json;q=0`,
      `${STREAM}, application/json;charset=latin1`,
    ]) {
      const { status, headers, text } = await post(query, accept)
      expect([accept, status, headers['content-type']]).toEqual([accept, 200, `${STREAM}; charset=utf-8`])
      expect(resultIn(text)).toMatchObject({ data: json.body.data, extensions: { cost: { requested: 1, actual: 1 } } })
    }
  })

  it('has it by GET, too', async () => {
    const url = `${harness.url}/graphql?${new URLSearchParams({ query: '{ products { pix } }' })}`
    const { text } = await send({ method: 'GET', url, headers: { 'x-api-key': harness.tenant.key, accept: STREAM } })
    expect(resultIn(text)).toMatchObject({ data: { products: { pix: true } } })
  })

  it('has what a mutation did once, and told again under its key', async () => {
    const input = `executorId: "api_transaction", fromCurrencySymbol: "BRL", amountFrom: "54.20", toCurrencySymbol: "USDT",
      onRamp: false, gatewayMethod: DIRECT`
    const query = `mutation { createOrder(input: { ${input} }) { order { id } errors { code path } } }`
    const [first, again] = [
      await post(query, STREAM, { headers: { 'idempotency-key': 'streamed' } }),
      await post(query, STREAM, { headers: { 'idempotency-key': 'streamed' } }),
    ]
    const made = (resultIn(first.text) as { data: { createOrder: object } }).data
    expect(made.createOrder).toMatchObject({ order: { id: expect.any(String) as string }, errors: [] })
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(resultIn(again.text)).toMatchObject({ data: made })
  })

  it.each([
    ['does not fit the schema', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['cannot be parsed', '{', 'GRAPHQL_PARSE_FAILED'],
    ['lacks a variable', 'query ($id: ID!) { payment(id: $id) { id } }', 'BAD_USER_INPUT'],
    [
      'is too large',
      `{ ${Array.from({ length: 21 }, (_, index) => `a${index}: products { pix }`).join(' ')} }`,
      'QUERY_TOO_COMPLEX',
    ],
  ])('is told in it of a document that %s', async (_what, query, code) => {
    const { status, text } = await post(query, STREAM)
    expect(status).toBe(200)
    expect(resultIn(text)).toMatchObject({ errors: [{ extensions: { code } }] })
  })

  it('is refused by status without a key', async () => {
    const { status, headers } = await post('{ products { pix } }', STREAM, { headers: { 'x-api-key': 'none' } })
    expect([status, headers['content-type']]).toEqual([403, 'application/json; charset=utf-8'])
  })
})

it('a client that takes both has JSON of a query', async () => {
  const query = '{ products { kyc } }'
  for (const accept of [
    `${STREAM}, application/json`,
    `application/graphql-response+json, ${STREAM}`,
    `${STREAM}, */*`,
  ]) {
    const { status, headers } = await post(query, accept)
    expect([accept, status, headers['content-type']?.includes('json')]).toEqual([accept, 200, true])
  }
})

it('a client that refuses streams is told that a subscription is one', async () => {
  const { body } = await post('subscription { paymentsUpdated { id } }', `application/json, ${STREAM};q=0`)
  expect(body.errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }])
})

describe('a client that takes no form of a result', () => {
  it.each([
    'multipart/mixed',
    'text/html',
    'application/json;q=0',
    'application/json;q=0, application/graphql-response+json;q=0.0, */*;q=0',
    'application/json; charset=iso-8859-1',
    'application/json;q=-1',
    'application/json;q=none',
  ])('is refused before anything is done: %s', async (accept) => {
    const { id, text } = await newOrder()
    const off = 'mutation ($id: ID!) { deactivateOrder(id: $id) { errors { code } } }'
    const refused = await post(off, accept, { variables: { id } })
    expect([refused.status, refused.body]).toMatchObject([406, { errors: [{ extensions: { code: 'BAD_REQUEST' } }] }])
    expect(refused.body).toMatchObject({ extensions: { cost: { requested: 1, actual: 1 } } })
    expect((await post(text, 'application/json', { variables: { id } })).body.data).toEqual({ order: { active: true } })
  })

  it.each([
    'application/json; charset=UTF-8',
    'text/html, */*;q=0.1',
    'application/*',
    'Application/GraphQL-Response+JSON;q=1.0',
    'application/json;q=0, application/*',
    // Java's own client.
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    'application/json;',
    'application/json; q = "0.5"',
    'application/json;q=2',
    'application/json;q=0, application/json',
  ])('is not one that takes one of them, in whatever words: %s', async (accept) => {
    const { id, text } = await newOrder()
    expect((await post(text, accept, { variables: { id } })).body.data).toEqual({ order: { active: true } })
  })

  async function newOrder(): Promise<{ id: string; text: string }> {
    return { id: await harness.tenant.createOrder(), text: 'query ($id: ID!) { order(id: $id) { active } }' }
  }
})
