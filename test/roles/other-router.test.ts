import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addressedSupergraph } from '../../gateway/addressed-supergraph.js'
import { signedBy } from '../../deploy/router/gateway.config.js'
import { projectRoot } from '../../kernel/root.js'
import { startHiveGateway } from '../harness/hive-gateway.js'
import { send } from '../harness/http.js'
import { startProcessHarness } from '../harness/process-harness.js'
import { registerInput } from '../harness/rest-payments.js'
import type { TestTenant } from '../harness/tenants.js'

const NAMES = ['accounts', 'orders', 'kyc', 'yield', 'payments']

const harness = await startProcessHarness()
const parts = await harness.start('parts', { ROLE: [...NAMES, 'worker'].join(',') })
const urls = Object.fromEntries(NAMES.map((name) => [name, `${parts.url}/${name}/graphql`]))
const SUBGRAPH_URLS = Object.entries(urls)
  .map(([name, url]) => `${name}=${url}`)
  .join(',')
const [gateway, authorizer] = await Promise.all([
  harness.start('gateway', { ROLE: 'gateway', SUBGRAPH_URLS }),
  harness.start('authorizer', { ROLE: 'authorizer', SUBGRAPH_URLS: `accounts=${urls['accounts']}` }),
])
const composed = await readFile(join(projectRoot, 'schema', 'supergraph.graphql'), 'utf8')
const hive = await startHiveGateway({
  supergraph: addressedSupergraph(composed, urls),
  ...signedBy(authorizer.url),
})
const [shop, stranger] = [await harness.dashboard.newTenant(), await harness.dashboard.newTenant()]

interface Asked {
  key?: string
  query: string
  variables?: object
  headers?: Record<string, string>
}

interface Graphql {
  status: number
  data?: Record<string, Record<string, unknown> | null> | null
  errors?: { message: string; extensions: { code: string } }[]
}

/** A client's request, as `fetch` takes it. */
function requestOf({ key, query, variables = {}, headers = {} }: Asked) {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'x-api-key': key }), ...headers },
    body: JSON.stringify({ query, variables }),
  }
}

async function byHive(asked: Asked): Promise<Graphql> {
  const answer = await hive.fetch('http://router.example/graphql', requestOf(asked))
  return { status: answer.status, ...((await answer.json()) as Omit<Graphql, 'status'>) }
}

async function byOurs(asked: Asked): Promise<Graphql> {
  const { status, body } = await send({ url: `${gateway.url}/graphql`, ...requestOf(asked) })
  const { data, errors } = body as unknown as Graphql
  return { status, ...(data !== undefined && { data }), ...(errors && { errors }) }
}

const CREATE_ORDER = `mutation ($input: CreateOrderInput!) {
  createOrder(input: $input) { order { id active } errors { code path } }
}`
const REGISTER = `mutation ($input: RegisterCheckoutPaymentInput!) {
  registerCheckoutPayment(input: $input) { payment { id order { id currencyFrom: fromCurrencySymbol } } errors { code } }
}`
const DEACTIVATE = 'mutation { deactivateOrder(id: "x") { errors { code } } }'
const PAYMENTS = `{
  account { id name }
  payments(first: 5) { edges { node { id status order { id active payments(first: 1) { edges { node { id } } } } } } }
}`
const PAYMENT = 'query ($id: ID!) { payment(id: $id) { id status order { active } } }'

const order = await made(CREATE_ORDER, registerInput(shop), 'createOrder', 'order')
const payment = await made(REGISTER, { orderCode: order }, 'registerCheckoutPayment', 'payment')

/** Makes something of the shop's over the other router. @returns its id */
async function made(query: string, input: object, field: string, thing: string): Promise<string> {
  const { data, errors } = await byHive({ key: shop.key, query, variables: { input } })
  const found = data?.[field]?.[thing] as { id: string } | null | undefined
  if (!found) throw new Error(JSON.stringify({ data, errors }))
  return found.id
}

/** What the authorizer signs for a tenant. */
async function contextOf({ key }: TestTenant): Promise<string> {
  const { body } = await send({ method: 'GET', url: `${authorizer.url}/authorize`, headers: { 'x-api-key': key } })
  return (body as unknown as { headers: Record<string, string> }).headers['x-tenant-context'] ?? ''
}

describe('the product behind a router of another make', () => {
  it('answers what takes several subgraphs as its own gateway does', async () => {
    const answer = await byHive({ key: shop.key, query: PAYMENTS })
    expect(answer).toMatchObject({
      status: 200,
      data: {
        account: { id: shop.id },
        payments: { edges: [{ node: { id: payment, order: { id: order, active: true } } }] },
      },
    })
    expect(answer.errors).toBeUndefined()
    expect(answer.data).toEqual((await byOurs({ key: shop.key, query: PAYMENTS })).data)
  })

  it('tells a refusal of a mutation in its payload', async () => {
    const asked = { key: shop.key, query: REGISTER, variables: { input: { orderCode: 'none' } } }
    const answer = await byHive(asked)
    expect(answer.data).toMatchObject({
      registerCheckoutPayment: { payment: null, errors: [{ code: 'ORDER_NOT_FOUND' }] },
    })
    expect(answer.data).toEqual((await byOurs(asked)).data)
  })

  it('makes once what is sent twice under an idempotency key, the second time by its own gateway', async () => {
    const asked = {
      key: shop.key,
      query: REGISTER,
      variables: { input: { orderCode: order } },
      headers: { 'idempotency-key': 'first-coffee' },
    }
    const first = await byHive(asked)
    expect(first.data?.['registerCheckoutPayment']).toMatchObject({ payment: { order: { id: order } }, errors: [] })
    expect((await byHive(asked)).data).toEqual(first.data)
    expect((await byOurs(asked)).data).toEqual(first.data)
    const other = { ...asked, variables: { input: { orderCode: 'none' } } }
    expect(JSON.stringify(await byHive(other))).toContain('IDEMPOTENCY_KEY_REUSED')
  })

  it('refuses an idempotency key that would stand for two mutations', async () => {
    const query = `mutation { a: deactivateOrder(id: "${order}") { errors { code } } b: deactivateOrder(id: "${order}") { errors { code } } }`
    const answer = await byHive({ key: shop.key, query, headers: { 'idempotency-key': 'two' } })
    expect(answer).toMatchObject({ status: 400, errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
  })

  it('refuses two idempotency keys of one request, whose router asks as it got them', async () => {
    const { status, text } = await send({
      method: 'POST',
      url: `${authorizer.url}/authorize`,
      headers: { 'content-type': 'application/json', 'x-api-key': shop.key, 'idempotency-key': ['a', 'b'] },
      body: JSON.stringify({ query: DEACTIVATE }),
    })
    expect([status, text]).toEqual([400, expect.stringContaining('idempotency-key: must be sent once')])
  })

  it.each([
    ['no key', undefined],
    ['a wrong key', `${shop.key.slice(0, -4)}0000`],
    ['no key at all', 'nonsense'],
  ])('refuses %s before anything is planned', async (_, key) => {
    const answer = await byHive({ ...(key !== undefined && { key }), query: PAYMENTS })
    expect(answer).toMatchObject({ status: 403, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
    expect(answer.data).toBeUndefined()
  })

  it('shows no tenant what is another’s, whatever it says of itself', async () => {
    const asked = { key: stranger.key, query: PAYMENT, variables: { id: payment } }
    const seen = await byHive(asked)
    expect(seen.data).toEqual({ payment: null })
    expect(seen.data).toEqual((await byOurs(asked)).data)
    const forged = { ...asked, headers: { 'x-tenant-context': await contextOf(shop) } }
    expect((await byHive(forged)).data).toEqual({ payment: null })
    const keyless = { ...forged, key: 'nonsense' }
    expect((await byHive(keyless)).status).toBe(403)
  })

  it('has no field that is for its own parts alone', async () => {
    const answer = await byHive({ key: shop.key, query: '{ apiKeyStanding(hash: "00") { keyId } }' })
    expect(answer.data ?? null).toBeNull()
    expect(answer.errors?.[0]?.message).toContain('apiKeyStanding')
  })
})

describe('the coprocessor of Apollo’s router', () => {
  const ask = async (headers: Record<string, string[]>, body: unknown = { query: '{ account { id } }' }) => {
    const { status, body: answer } = await send({
      method: 'POST',
      url: `${authorizer.url}/coprocessor`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        version: 1,
        stage: 'RouterRequest',
        control: 'continue',
        id: 'request-1',
        headers: { 'content-type': ['application/json'], ...headers },
        body: JSON.stringify(body),
      }),
    })
    return {
      status,
      ...(answer as unknown as { control: unknown; id: string; body: string; headers: Record<string, string[]> }),
    }
  }

  it('signs a request, with headers that a subgraph takes', async () => {
    const answer = await ask({ 'x-api-key': [shop.key], 'x-tenant-context': ['forged'] })
    expect(answer).toMatchObject({ status: 200, control: 'continue', id: 'request-1' })
    const context = answer.headers['x-tenant-context']?.[0] ?? ''
    const subgraph = await send({
      method: 'POST',
      url: urls['accounts'] ?? '',
      headers: { 'content-type': 'application/json', 'x-tenant-context': context },
      body: JSON.stringify({ query: '{ account { id } }' }),
    })
    expect(subgraph.body).toEqual({ data: { account: { id: shop.id } } })
  })

  it('ends a request without a key, and what says less than an idempotency key needs', async () => {
    const answer = await ask({ 'x-tenant-context': [await contextOf(shop)] })
    expect(answer).toMatchObject({ status: 200, control: { break: 403 } })
    expect(JSON.parse(answer.body)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
    const twice = await ask({ 'x-api-key': [shop.key], 'idempotency-key': ['a', 'b'] }, { query: DEACTIVATE })
    expect(twice).toMatchObject({ control: { break: 400 } })
    expect(twice.body).toContain('idempotency-key: must be sent once')
    const deep = JSON.parse('['.repeat(100) + ']'.repeat(100)) as unknown
    const nested = { query: DEACTIVATE, variables: { deep } }
    expect(await ask({ 'x-api-key': [shop.key], 'idempotency-key': ['a'] }, nested)).toMatchObject({
      control: { break: 400 },
    })
    const blind = await ask({ 'x-api-key': [shop.key], 'idempotency-key': ['a'] }, { id: 'persisted' })
    expect(blind).toMatchObject({ control: { break: 400 } })
  })

  it('passes on no claim of a client’s own', async () => {
    const answer = await ask({ 'x-api-key': [shop.key], 'x-idempotency-fingerprint': ['mine'] })
    expect(answer.headers['x-idempotency-fingerprint']).toBeUndefined()
  })
})

describe('a subgraph', () => {
  it('refuses an idempotency key whose fingerprint nobody has signed along', async () => {
    const { status, body } = await send({
      method: 'POST',
      url: urls['payments'] ?? '',
      headers: {
        'content-type': 'application/json',
        'x-tenant-context': await contextOf(shop),
        'idempotency-key': 'alone',
      },
      body: JSON.stringify({ query: REGISTER, variables: { input: { orderCode: order } } }),
    })
    expect([status, body.errors]).toMatchObject([400, [{ extensions: { code: 'BAD_REQUEST' } }]])
  })
})
