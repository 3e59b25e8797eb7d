import { describe, expect, it } from 'vitest'
import { send } from '../../test/harness/http.js'
import { startHarness } from '../../test/harness/harness.js'
import { GRAPHQL_ERRORS } from './error-codes.js'

const harness = await startHarness()

interface GraphqlBody {
  data?: Record<string, unknown> | null
  errors?: { message: string; extensions: Record<string, unknown> }[]
}

async function post(
  body: object,
  others: Record<string, string> = {},
): Promise<{ status: number; text: string; body: GraphqlBody }> {
  const headers = { 'content-type': 'application/json', 'x-api-key': harness.tenant.key, ...others }
  const answer = await send({ method: 'POST', url: `${harness.url}/graphql`, headers, body: JSON.stringify(body) })
  return { ...answer, body: answer.body as unknown as GraphqlBody }
}

describe('an error', () => {
  it('names the field of a variable whose type is wrong, as for a rule', async () => {
    const input = {
      executorId: 'api_transaction',
      tenantData: { publicClientId: 'any', webhookUrl: 'https://shop.example.com' },
      paymentMethodAllowed: {},
      splitPaymentConfig: [
        { receiverWallet: 'a', receiverPercent: 'all' },
        { receiverWallet: 'b', receiverPercent: 50 },
      ],
      gatewayMethod: 'DIRECT',
      fromCurrencySymbol: 'BRL',
      amountFrom: 'much',
      toCurrencySymbol: 'USDT',
      toChain: 'polygon',
      colour: 'red',
    }
    const query =
      'mutation ($input: RegisterPaymentInput!) { registerPayment(input: $input) { payment { id } errors { code path } } }'
    const { body } = await post({ query, variables: { input } })
    const failures = body.errors?.flatMap(
      ({ extensions }) => extensions['errors'] as { field: string; message: string }[],
    )
    expect(failures?.map(({ field }) => field).toSorted()).toEqual([
      'amountFrom',
      'colour',
      'onRamp',
      'splitPaymentConfig.0.receiverPercent',
      'splitPaymentConfig.1.receiverPercent',
    ])
    for (const field of ['amountFrom', 'splitPaymentConfig.0.receiverPercent', 'splitPaymentConfig.1.receiverPercent'])
      expect(failures).toContainEqual({ field, message: 'must be a decimal number such as "10.50"' })
  })

  it.each([
    ['is missing', {}],
    ['is null', { id: null }],
    ['is of the wrong type', { id: {} }],
  ])('names the variable that %s', async (_about, variables) => {
    const { body } = await post({ query: 'query ($id: ID!) { payment(id: $id) { id } }', variables })
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', errors: [{ field: 'id' }] })
  })

  it('echoes a name that there is not by its beginning only', async () => {
    const name = 'x'.repeat(5_000)
    const { text } = await post({ query: `{ ${name} }` })
    expect(text).toContain(`${'x'.repeat(64)}…`)
    expect(text).not.toContain('x'.repeat(65))
  })

  it('shows no card number in the name of a field that there is not', async () => {
    const query =
      'mutation ($input: TokenizeCardInput!) { tokenizeCard(input: $input) { cardToken { id } errors { code path } } }'
    const { text, body } = await post({ query, variables: { input: { card: { n4111111111111111: 1 } } } })
    expect(text).not.toContain('4111')
    const failures = body.errors?.flatMap(({ extensions }) => extensions['errors'])
    expect(failures).toContainEqual(expect.objectContaining({ field: 'card.n[redacted]' }))
  })

  it('does not repeat a secret that stands in the document', async () => {
    const card = 'number: "4111111111111111", cvv: 7391, expMonth: "secret-word"'
    const refused = await post({
      query: `mutation { tokenizeCard(input: {card: {${card}}}) { cardToken { id } errors { code path } } }`,
    })
    expect(refused.body.errors?.map(({ extensions }) => extensions)).toEqual(
      Array.from({ length: 3 }, () => ({ code: 'BAD_USER_INPUT' })),
    )
    const unreadable = await post({
      query: 'mutation { tokenizeCard(input: {cvv "7391"}) { cardToken { id } errors { code path } } }',
    })
    expect(unreadable.body.errors?.[0]?.message).toContain('found String')
    expect(refused.text + unreadable.text).not.toMatch(/4111|7391|secret-word/)
  })

  it('says of a document with too many tokens that it is too complex', async () => {
    const { status, body } = await post({ query: `{ ${'products '.repeat(2001)} }` })
    expect(status).toBe(400)
    expect(body.errors).toEqual([
      { message: 'The query is too complex: it has more than 2000 tokens.', extensions: { code: 'QUERY_TOO_COMPLEX' } },
    ])
  })

  it('of one list leaves what else was asked for', async () => {
    const { body } = await post({
      query:
        '{ products { pix } payments(first: 0) { edges { cursor } } orders(first: 101) { totalCount } webhookDeliveries(first: 0) { edges { cursor } } }',
    })
    expect(body.data).toEqual({ products: { pix: true }, payments: null, orders: null, webhookDeliveries: null })
    expect(body.errors?.map(({ extensions }) => extensions['code'])).toEqual(
      Array.from({ length: 3 }, () => 'VALIDATION_ERROR'),
    )
  })
})

/** What leads to each code; of the rate `weight.test.ts` tells, of trust `persisted-documents.test.ts`. */
const CASES: Record<
  Exclude<keyof typeof GRAPHQL_ERRORS, 'RATE_LIMITED' | 'DOCUMENT_NOT_TRUSTED'>,
  [body: object, headers?: Record<string, string>]
> = {
  UNAUTHENTICATED: [{ query: '{ products { pix } }' }, { 'x-api-key': 'sk_test_no' }],
  BAD_REQUEST: [{}],
  PERSISTED_QUERY_NOT_FOUND: [{ extensions: { persistedQuery: { version: 1, sha256Hash: 'ab'.repeat(32) } } }],
  GRAPHQL_PARSE_FAILED: [{ query: '{ products {' }],
  GRAPHQL_VALIDATION_FAILED: [{ query: '{ nothing }' }],
  OPERATION_RESOLUTION_FAILURE: [{ query: 'query A { products { pix } }', operationName: 'B' }],
  QUERY_TOO_COMPLEX: [
    { query: `{ ${Array.from({ length: 21 }, (_, index) => `a${index}: products { pix }`).join(' ')} }` },
  ],
  BAD_USER_INPUT: [{ query: 'query ($id: ID!) { payment(id: $id) { id } }' }],
}

describe('a code of GraphQL', () => {
  it.each(Object.entries(CASES))('%s has the HTTP status of the documentation', async (code, [body, headers]) => {
    const answer = await post(body, { accept: 'application/graphql-response+json', ...headers })
    expect(answer.body.errors?.map(({ extensions }) => extensions['code'])).toEqual([code])
    expect(answer.status).toBe(GRAPHQL_ERRORS[code as keyof typeof GRAPHQL_ERRORS].http)
  })
})
