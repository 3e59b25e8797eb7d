import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql'
import { describe, expect, it } from 'vitest'
import { type Answer, send } from '../../test/harness/http.js'
import { registerInput } from '../../test/harness/rest-payments.js'
import { startHarness } from '../../test/harness/harness.js'

const BY_ID = 'query ($id: ID!) { payment(id: $id) { id status } }'
const REGISTER =
  'mutation ($input: RegisterPaymentInput!) { registerPayment(input: $input) { payment { id status } errors { code path } } }'

const harness = await startHarness()
const paymentId = await harness.tenant.register()

/** What a GraphQL client looks into. */
interface GraphqlBody {
  data?: Record<string, unknown> | null
  errors?: { message: string; path?: string[]; extensions: Record<string, unknown> }[]
  [other: string]: unknown
}

interface Reply extends Omit<Answer, 'body'> {
  body: GraphqlBody
}

async function post(
  body: unknown,
  headers: Record<string, string | string[]> = { 'x-api-key': harness.tenant.key },
): Promise<Reply> {
  const answer = await send({
    method: 'POST',
    url: `${harness.url}/graphql`,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { ...answer, body: answer.body as unknown as GraphqlBody }
}

function keyed(headers: Record<string, string | string[]>): Record<string, string | string[]> {
  return { 'x-api-key': harness.tenant.key, ...headers }
}

const inputOf = (changes: Record<string, unknown> = {}) => registerInput(harness.tenant, changes)

describe('a GraphQL request', () => {
  it('is answered with data, the request id and the rate', async () => {
    const answer = await post(
      { query: BY_ID, variables: { id: paymentId } },
      keyed({ 'x-request-id': 'client-request-1' }),
    )
    expect(answer.status).toBe(200)
    const cost = { requested: 1, actual: 1, limit: null, remaining: null }
    expect(answer.body).toEqual({ data: { payment: { id: paymentId, status: 'REGISTERED' } }, extensions: { cost } })
    expect(answer.headers['x-request-id']).toBe('client-request-1')
  })

  it.each([
    ['no key', {}, undefined],
    ['a key that does not exist', { 'x-api-key': 'sk_test_nothing' }, undefined],
    ['a key in another header', { authorization: 'Bearer sk_test_nothing' }, /authorization.*in x-api-key$/],
    ['a header in another letter case', { 'X-API-Key': 'sk_test_nothing' }, /X-API-Key.*in lower case$/],
  ])('with %s is refused with 403 in both forms', async (_about, headers, hint) => {
    const answer = await post({ query: '{ __typename }' }, headers)
    expect(answer.status).toBe(403)
    expect(answer.body).toEqual({
      code: 403,
      message: 'Access denied. A valid API Key is required.',
      docs: expect.stringMatching(/\/docs$/) as string,
      ...(hint && { hint: expect.stringMatching(hint) as string }),
      errors: [{ message: 'Access denied. A valid API Key is required.', extensions: { code: 'UNAUTHENTICATED' } }],
    })
    expect(answer.headers['x-request-id']).toBeTruthy()
  })

  it('may read the schema with a key', async () => {
    const { body } = await post({ query: getIntrospectionQuery({ oneOf: true, directiveIsRepeatable: true }) })
    expect(body.errors).toBeUndefined()
    const schema = buildClientSchema(body.data as unknown as IntrospectionQuery)
    expect(schema.getType('Payment')?.description).toBeTruthy()
  })

  it('sees nothing of another tenant', async () => {
    const stranger = await harness.dashboard.newTenant()
    const { body, status } = await post({ query: BY_ID, variables: { id: paymentId } }, { 'x-api-key': stranger.key })
    expect(status).toBe(200)
    expect(body.data).toEqual({ payment: null })
    expect(body.errors?.[0]).toMatchObject({ path: ['payment'], extensions: { code: 'PAYMENT_NOT_FOUND' } })
  })

  it('reads entities over several subgraphs', async () => {
    const order = await harness.tenant.createOrder()
    await harness.graphql(
      'mutation ($id: ID!) { registerCheckoutPayment(input: {orderCode: $id}) { payment { id } errors { code path } } }',
      { id: order },
      { as: harness.tenant },
    )
    const { body } = await post({
      query: `query ($id: ID!) { order(id: $id) { active payments { edges { node { order { id } history { cause } } } } } }`,
      variables: { id: order },
    })
    expect(body).toMatchObject({
      data: { order: { active: true, payments: { edges: [{ node: { order: { id: order }, history: [{}] } }] } } },
    })
  })

  it('that is a query may come by GET', async () => {
    const answer = await send({
      method: 'GET',
      url: `${harness.url}/graphql?query=${encodeURIComponent('{ products { pix } }')}`,
      headers: keyed({ accept: 'application/json' }),
    })
    expect(answer.body).toMatchObject({ data: { products: { pix: true } } })
  })

  it('that is a mutation may not come by GET', async () => {
    const answer = await send({
      method: 'GET',
      url: `${harness.url}/graphql?query=${encodeURIComponent('mutation { deactivateOrder(id: "x") { order { id } errors { code path } } }')}`,
      headers: keyed({ accept: 'application/json' }),
    })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('POST')
  })

  it('in another charset than UTF-8 is refused, as it would be misread', async () => {
    const answer = await post(
      { query: '{ __typename } # ç' },
      keyed({ 'content-type': 'application/json; charset=latin1' }),
    )
    expect([answer.status, answer.body.errors?.[0]?.extensions]).toEqual([415, { code: 'UNSUPPORTED_MEDIA_TYPE' }])
    const named = await post(
      { query: '{ __typename }' },
      keyed({ 'content-type': 'application/json; charset="UTF-8"' }),
    )
    expect(named.status).toBe(200)
  })

  it('of a form, which a foreign page can send, is refused', async () => {
    const answer = await post('query={__typename}', keyed({ 'content-type': 'application/x-www-form-urlencoded' }))
    expect(answer.status).toBe(415)
    expect(answer.body.errors?.[0]?.extensions).toEqual({ code: 'UNSUPPORTED_MEDIA_TYPE' })
  })
})

describe('an error has a code that stays', () => {
  const GRAPHQL_JSON = { accept: 'application/graphql-response+json' }
  it.each<[string, unknown, number, string]>([
    ['a body that is not JSON', '{"query":', 400, 'BAD_REQUEST'],
    [
      'a body that is too large',
      { query: '{ products { pix } }', variables: { a: 'x'.repeat(300_000) } },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['a body without a query', {}, 400, 'BAD_REQUEST'],
    ['several operations in one body', [{ query: '{ __typename }' }], 400, 'BAD_REQUEST'],
    ['bad syntax', { query: '{ products {' }, 400, 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', { query: '{ nothing }' }, 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['a hidden field', { query: '{ kycRecordAt(id: "x", sequence: 1) { id } }' }, 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['a missing variable', { query: BY_ID }, 400, 'BAD_USER_INPUT'],
    [
      'an operation that is not in the document',
      { query: 'query A { products { pix } }', operationName: 'B' },
      400,
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'several operations and no name',
      { query: 'query A { products { pix } } query B { products { pix } }' },
      400,
      'OPERATION_RESOLUTION_FAILURE',
    ],
    ['what is not there', { query: '{ payment(id: "x") { id } }' }, 200, 'PAYMENT_NOT_FOUND'],
    ['a page that is too long', { query: '{ payments(first: 101) { edges { cursor } } }' }, 200, 'VALIDATION_ERROR'],
  ])('for %s', async (_about, body, status, code) => {
    const answer = await post(body, keyed(GRAPHQL_JSON))
    expect([answer.status, answer.body.errors?.[0]?.extensions['code']]).toEqual([status, code])
    expect(answer.text).not.toMatch(/stacktrace|serviceName|node_modules/)
    expect(answer.headers['x-request-id']).toBeTruthy()
  })

  it('and names all fields of an input that break a rule', async () => {
    const { body } = await post({
      query: REGISTER,
      variables: { input: inputOf({ amountFrom: '0', toChain: 'nowhere' }) },
    })
    const errors = ['amountFrom', 'toChain'].map((field) => ({ code: 'VALIDATION_ERROR', path: [field] }))
    expect(body.data).toEqual({ registerPayment: { payment: null, errors } })
  })

  it('and does not repeat the value of a variable, which may be a secret', async () => {
    const { body, text } = await post({
      query: REGISTER,
      variables: {
        input: { executorId: '4111111111111111', amountFrom: 4242, gatewayMethod: 'secret-word', card: 'x' },
      },
    })
    expect(text).not.toMatch(/4111111111111111|4242|secret-word/)
    const messages = body.errors?.map(({ message }) => message) ?? []
    expect(new Set(messages).size).toBe(messages.length)
    expect(messages).toContain(
      'Variable "$input" got an invalid value at "input.gatewayMethod": The value does not exist in "GatewayMethod" enum.',
    )
    expect(messages.join()).toContain('Field "card" is not defined by type "RegisterPaymentInput".')
    expect(body.errors?.every(({ extensions }) => extensions['code'] === 'BAD_USER_INPUT')).toBe(true)
  })

  it('and tells nothing but the request id of what nobody foresaw', async () => {
    await harness.withoutTable('payments.payment', async () => {
      const answer = await post({ query: BY_ID, variables: { id: paymentId } }, keyed({ 'x-request-id': 'request-42' }))
      expect(answer.status).toBe(200)
      expect(answer.body.errors).toEqual([
        {
          message: 'Something went wrong on our side (request request-42).',
          path: ['payment'],
          extensions: { code: 'SERVER_ERROR' },
        },
      ])
    })
  })
})

describe('an Idempotency-Key on a mutation', () => {
  const withKey = (key: string | string[]) => keyed({ 'idempotency-key': key })

  it('gives the first answer again', async () => {
    const body = { query: REGISTER, variables: { input: inputOf() } }
    const first = await post(body, withKey('graphql-1'))
    expect(first.body.data).toMatchObject({ registerPayment: { payment: { status: 'REGISTERED' }, errors: [] } })
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    const again = await post(body, withKey('graphql-1'))
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  it('does not call it the first answer where that cannot be shown', async () => {
    const body = { query: REGISTER, variables: { input: inputOf() } }
    const first = await post(body, withKey('graphql-hidden'))
    await harness.withoutTable('payments.payment', async () => {
      const failed = await post(body, withKey('graphql-hidden'))
      expect(failed.body.errors?.[0]?.extensions['code']).toBe('SERVER_ERROR')
      expect(failed.headers['idempotent-replayed']).toBeUndefined()
    })
    const again = await post(body, withKey('graphql-hidden'))
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true'])
  })

  it('is refused for another input, document or name of the operation', async () => {
    const query = REGISTER.replace('mutation', 'mutation A')
    const body = { query, variables: { input: inputOf() } }
    await post(body, withKey('graphql-2'))
    for (const other of [
      { ...body, variables: { input: inputOf({ amountFrom: '101' }) } },
      { ...body, query: query.replace('{ id status }', '{ id }') },
    ]) {
      const { body: refused } = await post(other, withKey('graphql-2'))
      expect(refused.errors?.[0]?.extensions['code']).toBe('IDEMPOTENCY_KEY_REUSED')
    }
  })

  it.each([
    [
      'two fields',
      'mutation { a: deactivateOrder(id: "x") { order { id } errors { code path } } b: deactivateOrder(id: "y") { order { id } errors { code path } } }',
    ],
    [
      'two fields in a fragment',
      'mutation { ...F } fragment F on Mutation { deactivateOrder(id: "x") { order { id } errors { code path } } b: deactivateOrder(id: "y") { order { id } errors { code path } } }',
    ],
    ['no field but __typename', 'mutation { __typename }'],
  ])('is refused for a document of %s, as one key stands for one change', async (_about, query) => {
    const { status, body } = await post({ query }, withKey('graphql-3'))
    expect([status, body.errors?.[0]?.extensions['code']]).toEqual([400, 'BAD_USER_INPUT'])
  })

  it('longer than 255 characters is refused', async () => {
    const { status, body } = await post(
      { query: 'mutation { deactivateOrder(id: "x") { order { id } errors { code path } } }' },
      withKey('k'.repeat(256)),
    )
    expect([status, body.errors?.[0]?.extensions['code']]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('that comes twice in one request is refused', async () => {
    const body = { query: REGISTER, variables: { input: inputOf() } }
    for (const twice of [
      ['one', 'two'],
      ['same', 'same'],
    ]) {
      const { status, body: refused } = await post(body, withKey(twice))
      const message = 'idempotency-key: must be sent once'
      expect([status, refused.errors]).toMatchObject([400, [{ message, extensions: { code: 'VALIDATION_ERROR' } }]])
      expect(refused.data ?? null).toBeNull()
    }
  })

  it('means nothing on a query', async () => {
    const { body } = await post({ query: '{ a: products { pix } b: products { pix } }' }, withKey('graphql-1'))
    expect(body.errors).toBeUndefined()
  })
})
