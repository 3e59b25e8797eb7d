import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../rest-compat/routes.js'
import { send } from '../harness/http.js'
import { REGISTER, registerBody } from '../harness/rest-payments.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()

/** What no database keeps, in a path or a query. */
const IN_URL = ['%00', 'a%00b', '%ED%A0%80', '%FF']
/** The same in JSON. */
const IN_JSON = ['\u0000', 'a\u0000b', '\ud800', 'b\udfffc']

/** A body whose every text is a bad one, at every depth. */
function spoiled(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text
  if (Array.isArray(value)) return value.map((item) => spoiled(item, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, spoiled(item, text)]))
}

const FIELDS = [
  'id',
  'email',
  'otp',
  'wallet',
  'message',
  'signed_bytes',
  'payment_id',
  'order_code',
  'code',
  'op_signed',
]
const OTHERS = Object.fromEntries([...FIELDS, 'provider', 'asset', 'amount', 'chain_name'].map((name) => [name, 'x']))

describe('a text that no database keeps is never an error of ours', () => {
  it.each(ROUTES.map(({ method, path }) => [method, path] as const))('in %s %s', async (method, path) => {
    for (const text of IN_URL) {
      const asPart = path.replace(/:\w+/g, text)
      const asQuery = `${path.replace(/:\w+/g, 'x')}?id=${text}&page=${text}&from=${text}&pair=${text}&email=${text}`
      for (const url of [asPart, asQuery]) {
        // Not by `harness.rest`: what cannot be decoded is a path of no route.
        const headers = { 'x-api-key': harness.tenant.key, 'content-type': 'application/json' }
        const answer = await send({
          method,
          url: `${harness.url}${url}`,
          headers,
          body: method === 'GET' ? undefined : '{}',
        })
        expect([url, answer.status < 500, answer.body.statusCode]).toEqual([url, true, answer.status])
      }
    }
    if (method === 'GET') return
    for (const text of IN_JSON) {
      const body = spoiled({ ...registerBody(harness.tenant), ...OTHERS, metadata: { [text]: text } }, text)
      const answer = await harness.rest(method, path.replace(/:\w+/g, 'x'), { as: harness.tenant, body })
      expect([method, path, answer.status < 500]).toEqual([method, path, true])
    }
  })

  it.each(IN_URL)('in the path of a callback or of a payment page: %s', async (text) => {
    for (const path of [`pix/${text}`, `card/${text}`, `${text}/x`, `kyc/${text}`, `pix/x/${text}`]) {
      const answer = await harness.rest('POST', `/callbacks/${path}`, { body: '{}' })
      expect([path, answer.status < 500 && answer.status >= 400]).toEqual([path, true])
    }
    expect((await harness.rest('GET', `/pay/${text}`)).status).toBeLessThan(500)
  })

  it('in the body of a callback', async () => {
    for (const rail of ['pix/x', 'card/', 'kyc/didit']) {
      const answer = await harness.rest('POST', `/callbacks/${rail}`, { body: '{"a":"\u0000"}' })
      expect([rail, answer.status < 500]).toEqual([rail, true])
    }
  })

  it('in a header', async () => {
    const headers = {
      'idempotency-key': 'a\u00ff\u0080',
      'x-request-id': '\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9',
    }
    const body = registerBody(harness.tenant)
    expect((await harness.rest('POST', REGISTER, { as: harness.tenant, body, headers })).status).toBeLessThan(500)
    expect((await harness.rest('POST', REGISTER, { as: 'sk_test_\u00ff\u0080', body })).status).toBe(401)
  })

  it.each(IN_JSON)('in a document, its variables, or the name of its operation', async (text) => {
    const byVariable = 'query Find($id: ID!) { payment(id: $id) { id } }'
    const literal = `{ payment(id: ${JSON.stringify(text)}) { id } }`
    const asked: [string, object][] = [
      [byVariable, { id: text }],
      [literal, {}],
      [`{ order(id: ${JSON.stringify(text)}) { id } }`, {}],
      ['query List($after: String) { payments(after: $after) { edges { cursor } } }', { after: text }],
      [
        'query List($after: String) { payments(after: $after) { edges { cursor } } }',
        { after: Buffer.from(text).toString('base64url') },
      ],
      [
        'mutation Deactivate($id: ID!) { deactivateOrder(id: $id) { order { id } errors { code path } } }',
        { id: text },
      ],
      ['query Find($id: ID!) { payment(id: $id) { id } }', { id: 'x', [text]: text }],
    ]
    for (const [query, variables] of asked) {
      const answer = await harness.graphql(query, variables, { as: harness.tenant })
      const codes = ((answer.body['errors'] ?? []) as { extensions?: { code?: string } }[]).map(
        ({ extensions }) => extensions?.code,
      )
      expect([query, answer.status < 500, codes]).toEqual([query, true, codes])
      expect(codes).not.toContain('SERVER_ERROR')
    }
  })
})
