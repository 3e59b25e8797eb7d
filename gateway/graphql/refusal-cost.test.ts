import { describe, expect, it } from 'vitest'
import { openStream } from '../../test/harness/event-stream.js'
import { startHarness } from '../../test/harness/harness.js'
import type { Shop } from '../../test/harness/rest-payments.js'

const LIMIT = 100
const harness = await startHarness({ RATE_LIMIT_PER_MINUTE: String(LIMIT) })

interface Told {
  errors: { extensions: { code: string } }[]
  extensions: { cost: { requested: number; actual: number; limit: number; remaining: number } }
}

async function refused(tenant: Shop, query: string, variables: object = {}): Promise<Told> {
  return (await harness.graphql(query, variables, { as: tenant })).body as unknown as Told
}

/** What a refusal tells, and why it refuses. */
const toldBy = ({ errors, extensions }: Told) => ({ code: errors[0]?.extensions.code, ...extensions.cost })

const page = (first: number): string => `payments(first: ${first}) { edges { node { id metadata } } }`
const large = `{ ${page(100)} }`

describe('a known document', () => {
  it('is counted once where a variable is wrong', async () => {
    const tenant = await harness.dashboard.newTenant()
    const document = `query ($id: ID!) { payment(id: $id) { id } ${page(100)} }`
    const first = await refused(tenant, document, { id: 'none' })
    const { requested: weight } = first.extensions.cost
    expect(weight).toBeGreaterThan(10)
    const wrong = toldBy(await refused(tenant, document, { id: {} }))
    expect(wrong).toMatchObject({
      code: 'BAD_USER_INPUT',
      requested: weight,
      limit: LIMIT,
      remaining: LIMIT - 2 * weight,
    })
  })
})

describe('what is refused by the rate tells its cost', () => {
  it('where not even the request itself is let in', async () => {
    const tenant = await harness.dashboard.newTenant()
    for (let left = LIMIT; left > 0; left -= 1) await tenant.get('/config/products')
    expect(toldBy(await refused(tenant, '{ products { pix } }'))).toEqual({
      code: 'RATE_LIMITED',
      requested: 1,
      actual: 0,
      limit: LIMIT,
      remaining: 0,
    })
  })

  it('the first time and when it is known, so that a client sees what there would have to be left', async () => {
    const tenant = await harness.dashboard.newTenant()
    const { extensions } = await refused(tenant, large)
    const { requested: weight, remaining } = extensions.cost
    expect(weight).toBeGreaterThan(10)
    for (let left = remaining; left >= weight; left -= 1) await tenant.get('/config/products')
    const known = toldBy(await refused(tenant, large))
    expect(known).toEqual({ code: 'RATE_LIMITED', requested: weight, actual: 1, limit: LIMIT, remaining: weight - 2 })
    expect(toldBy(await refused(tenant, `${large} # new`))).toEqual({ ...known, remaining: weight - 3 })
  })

  it('where there is no room to validate a long document', async () => {
    const tenant = await harness.dashboard.newTenant()
    const long = `{ products { ${Array.from({ length: 90 }, (_, index) => `a${index}: pix`).join(' ')} } nothing ${'account { name } '.repeat(20)} }`
    const { extensions } = await refused(tenant, long)
    expect(extensions.cost).toMatchObject({
      requested: extensions.cost.actual,
      remaining: LIMIT - extensions.cost.actual,
    })
    expect(extensions.cost.requested).toBeGreaterThan(1)
    for (let left = extensions.cost.remaining; left > 1; left -= 1) await tenant.get('/config/products')
    const { requested } = extensions.cost
    expect(toldBy(await refused(tenant, long))).toEqual({
      code: 'RATE_LIMITED',
      requested,
      actual: 1,
      limit: LIMIT,
      remaining: 0,
    })
  })

  it('where it subscribes', async () => {
    const tenant = await harness.dashboard.newTenant()
    for (let left = LIMIT; left > 5; left -= 1) await tenant.get('/config/products')
    const { status, body } = await openStream(`${harness.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': tenant.key },
      body: { query: `subscription { paymentsUpdated { order { ${page(100)} } } }` },
    })
    const told = toldBy(JSON.parse(body) as Told)
    expect([status, told]).toEqual([
      429,
      { code: 'RATE_LIMITED', requested: expect.any(Number) as number, actual: 1, limit: LIMIT, remaining: 4 },
    ])
    expect(told.requested).toBeGreaterThan(5)
  })
})

describe('what is refused for itself tells its cost', () => {
  it.each([
    ['that holds no document', {}],
    ['whose variables are none', { query: '{ products { pix } }', variables: 'none' }],
    ['of many requests', [{ query: '{ products { pix } }' }]],
    ['that is no JSON', '{ query: '],
  ])('where it is a body %s', async (_what, sent) => {
    const tenant = await harness.dashboard.newTenant()
    const response = await fetch(`${harness.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': tenant.key, 'content-type': 'application/json' },
      body: typeof sent === 'string' ? sent : JSON.stringify(sent),
    })
    const told = toldBy((await response.json()) as Told)
    expect([response.status, told]).toEqual([
      400,
      { code: expect.any(String) as string, requested: 1, actual: 1, limit: LIMIT, remaining: LIMIT - 1 },
    ])
  })

  it('with what a query that is too large would have counted', async () => {
    const tenant = await harness.dashboard.newTenant()
    const nested = `orders(first: 100) { edges { node { payments(first: 100) { edges { node { id } } } } } }`
    const told = toldBy(await refused(tenant, `{ ${nested} }`))
    expect(told).toMatchObject({ code: 'QUERY_TOO_COMPLEX', actual: 1, limit: LIMIT, remaining: LIMIT - 1 })
    expect(told.requested).toBeGreaterThan(400)
    const stream = await openStream(`${harness.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': tenant.key },
      body: {
        query: `subscription { paymentsUpdated { order { payments(first: 100) { edges { node { order { ${page(100)} } } } } } } }`,
      },
    })
    const [next] = await stream.untilCount(2)
    const followed = toldBy(JSON.parse(next?.data ?? '') as Told)
    expect(followed).toMatchObject({ code: 'QUERY_TOO_COMPLEX', actual: 1, remaining: LIMIT - 2 })
    expect(followed.requested).toBeGreaterThan(400)
  })

  it.each(['n', 'constructor', 'toString'])('though its length is the default of a variable: $%s', async (name) => {
    const tenant = await harness.dashboard.newTenant()
    const lists = `orders(first: $${name}) { edges { node { payments(first: $${name}) { edges { node { id } } } } } }`
    const told = toldBy(await refused(tenant, `query ($${name}: Int = 100) { ${lists} }`))
    expect(told.code).toBe('QUERY_TOO_COMPLEX')
  })

  it('as a number, however large it is', async () => {
    const tenant = await harness.dashboard.newTenant()
    const links = Array.from(
      { length: 60 },
      (_, index) =>
        `fragment F${index} on Order { payments(first: $n) { edges { node { order { ...F${index + 1} } } } } }`,
    )
    const query = `query ($n: Int) { order(id: "x") { ...F0 } } ${links.join(' ')} fragment F60 on Order { id }`
    const told = toldBy(await refused(tenant, query, { n: 2_147_483_647 }))
    expect(told).toMatchObject({ code: 'QUERY_TOO_COMPLEX', requested: Number.MAX_SAFE_INTEGER })
  })

  it('as invalid, where a length is no Int, and not as too large', async () => {
    const tenant = await harness.dashboard.newTenant()
    for (const n of [2_147_483_648, 1.5, -1e300]) {
      const told = toldBy(await refused(tenant, 'query ($n: Int) { payments(first: $n) { totalCount } }', { n }))
      expect([n, told.code]).toEqual([n, 'BAD_USER_INPUT'])
    }
  })

  it.each([
    [
      'an unknown hash',
      'PERSISTED_QUERY_NOT_FOUND',
      { extensions: { persistedQuery: { version: 1, sha256Hash: 'ab'.repeat(32) } } },
    ],
    [
      'a body that is too large',
      'PAYLOAD_TOO_LARGE',
      { query: '{ products { pix } }', variables: { text: 'x'.repeat(3_000_000) } },
    ],
    ['a text that is not valid', 'GRAPHQL_VALIDATION_FAILED', { query: '{ nothing }' }],
  ])('for %s', async (_what, code, body) => {
    const tenant = await harness.dashboard.newTenant()
    const answer = await fetch(`${harness.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': tenant.key },
      body: JSON.stringify(body),
    })
    const told = toldBy((await answer.json()) as Told)
    expect(told).toEqual({ code, requested: 1, actual: 1, limit: LIMIT, remaining: LIMIT - 1 })
  })

  it('not to who has no key, as nothing is counted', async () => {
    const { body } = await harness.graphql('{ products { pix } }', {}, { as: { key: 'sk_test_none' } as Shop })
    expect(body).not.toHaveProperty('extensions')
  })
})
