import { describe, expect, it } from 'vitest'
import type { Answer } from '../../test/harness/http.js'
import { REGISTER, registerBody, registerInput, type Shop } from '../../test/harness/rest-payments.js'
import { startHarness } from '../../test/harness/harness.js'

const LIMIT = 100

const harness = await startHarness({ RATE_LIMIT_PER_MINUTE: String(LIMIT) })

/** What is left of a key's minute, as an answer tells it. */
function leftAfter({ headers }: Answer): number {
  return Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1])
}

const ask = (tenant: Shop, query: string, variables: object = {}) => harness.graphql(query, variables, { as: tenant })

/** Pages of everything, each history of so many entries. */
function large(entries: number): string {
  const page = `payments(first: 100) { edges { node { id metadata history(first: ${entries}) { status } } } }`
  return `{ ${Array.from({ length: 9 }, (_, index) => `a${index}: ${page}`).join(' ')} }`
}

function registerMany(tenant: Shop, count: number): { query: string; variables: object } {
  const input = registerInput(tenant)
  const fields = Array.from({ length: count }, (_, index) => `m${index}: registerPayment(input: $input) { __typename }`)
  return { query: `mutation ($input: RegisterPaymentInput!) { ${fields.join(' ')} }`, variables: { input } }
}

describe("a document against its key's rate", () => {
  it('counts one where it is small, as a request of the contract does', async () => {
    const tenant = await harness.dashboard.newTenant()
    expect(leftAfter(await tenant.get('/config/products'))).toBe(LIMIT - 1)
    for (const left of [2, 3, 4]) expect(leftAfter(await ask(tenant, '{ products { pix } }'))).toBe(LIMIT - left)
    const page =
      'query Page { payments(first: 20) { edges { cursor node { id status amountFrom createdAt } } pageInfo { endCursor } } }'
    for (const left of [5, 6]) expect(leftAfter(await ask(tenant, page))).toBe(LIMIT - left)
  })

  it('counts each of its root fields, also when it is known', async () => {
    const tenant = await harness.dashboard.newTenant()
    const { query, variables } = registerMany(tenant, 20)
    expect(leftAfter(await ask(tenant, query, variables))).toBe(LIMIT - 20)
    const three = '{ a: products { pix } b: products { kyc } c: products { crypto } }'
    const before = leftAfter(await ask(tenant, '{ products { pix } }'))
    for (const more of [3, 6, 9]) expect(leftAfter(await ask(tenant, three))).toBe(before - more)
  })

  it('counts what its answer can hold, also when it is known', async () => {
    const tenant = await harness.dashboard.newTenant()
    const page = '{ payments(first: 100) { edges { node { id metadata history(first: 5) { status } } } } }'
    const first = LIMIT - leftAfter(await ask(tenant, page))
    expect(first).toBeGreaterThan(8)
    expect(leftAfter(await ask(tenant, page))).toBe(LIMIT - 2 * first)
  })

  it('that exceeds it is refused in both forms before anything runs, and takes no more than its one request', async () => {
    const tenant = await harness.dashboard.newTenant()
    while (leftAfter(await ask(tenant, '{ products { pix } }')) > 10);
    const { query, variables } = registerMany(tenant, 20)
    const refused = await ask(tenant, query, variables)
    expect(refused.status).toBe(429)
    const message = `Rate limit exceeded: ${LIMIT} requests per minute (1.7 per second).`
    expect(refused.body).toEqual({
      code: 429,
      message,
      docs: expect.stringMatching(/\/docs$/) as string,
      errors: [{ message, extensions: { code: 'RATE_LIMITED' } }],
      extensions: { cost: { requested: 20, actual: 1, limit: LIMIT, remaining: 9 } },
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.headers['ratelimit']).toMatch(/^"default";r=\d+;/)
    expect(refused.headers['x-request-id']).toBeTruthy()
    expect(
      await harness.sql(
        `select 1 from payments.payment p join accounts.tenant t on p.tenant_id = t.id where t.id = $1`,
        [tenant.id],
      ),
    ).toEqual([])
  })

  it('that is larger than a whole window is let in by an empty one', async () => {
    const tenant = await harness.dashboard.newTenant()
    expect((await ask(tenant, large(10))).status).toBe(200)
    const other = await harness.dashboard.newTenant()
    await ask(other, '{ products { pix } }')
    const known = await ask(other, large(10))
    expect([known.status, known.headers['retry-after']]).toEqual([429, '60'])
  })
})

describe('a document that is validated for the first time', () => {
  const long = (name: string): string =>
    `{ ${name} ${Array.from({ length: 19 }, () => `products { ${'pix '.repeat(20)} }`).join(' ')} ${'account { name } '.repeat(20)} }`

  it('counts by its length, also where it is not valid, and is refused before it is looked at where there is no room for it', async () => {
    const tenant = await harness.dashboard.newTenant()
    const invalid = await ask(tenant, long('nothing'))
    expect(invalid.body.errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }])
    const left = leftAfter(await ask(tenant, '{ products { pix } }'))
    expect(left).toBeLessThanOrEqual(LIMIT - 4)
    while ((await ask(tenant, long('nothing'))).status === 200);
    const refused = await ask(tenant, long('nothing'))
    expect([refused.status, refused.body['code']]).toEqual([429, 429])
  })

  it('is refused where it repeats a field so often that comparing all of them would take long', async () => {
    const tenant = await harness.dashboard.newTenant()
    for (const query of [`{ ${'products { pix } '.repeat(480)} }`, `{ ${'... { products { pix } } '.repeat(240)} }`]) {
      const answer = await ask(tenant, query)
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }])
    }
  })

  it('is refused in an address as well, also where a part of that is no escape of anything', async () => {
    const tenant = await harness.dashboard.newTenant()
    const query = encodeURIComponent(`{ products { ${'pix '.repeat(480)} nothing } } #`)
    for (const more of ['', '%zz']) {
      const answer = await tenant.get(`/graphql?query=${query}${more}`)
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }])
    }
  })

  it('counts nothing more where it is as short as most', async () => {
    const tenant = await harness.dashboard.newTenant()
    const fields =
      'id status executorId orderCode transactionType payerEmail amountFrom amountTo toChain createdAt updatedAt'
    expect(leftAfter(await ask(tenant, `{ payment(id: "none") { ${fields} } }`))).toBe(LIMIT - 1)
    expect(leftAfter(await ask(tenant, '{ nothing }'))).toBe(LIMIT - 2)
    expect(leftAfter(await ask(tenant, '{ products { pix } }'))).toBe(LIMIT - 3)
  })
})

describe('the cost that an answer tells', () => {
  interface Told {
    data?: object
    extensions: { cost: { requested: number; actual: number; limit: number; remaining: number } }
  }
  const told = async (tenant: Shop, query: string, variables?: object) => {
    const answer = await ask(tenant, query, variables)
    return { left: leftAfter(answer), body: answer.body as unknown as Told }
  }

  it('is what was counted, what it came to, and what is left, the first time and when it is known', async () => {
    const tenant = await harness.dashboard.newTenant()
    const page = '{ payments(first: 100) { edges { node { id metadata history(first: 5) { status } } } } }'
    let left = LIMIT
    for (let time = 0; time < 2; time += 1) {
      const { left: now, body } = await told(tenant, page)
      expect(body.extensions.cost).toEqual({ requested: left - now, actual: 1, limit: LIMIT, remaining: now })
      expect(left - now).toBeGreaterThan(8)
      left = now
    }
  })

  it('counts what an answer holds', async () => {
    const tenant = await harness.dashboard.newTenant()
    for (const note of Array.from({ length: 4 }, (_, index) => 'x'.repeat(index + 1)))
      await tenant.register({ metadata: { list: Array.from({ length: 300 }, () => note) } })
    const { body } = await told(tenant, '{ payments(first: 4) { edges { node { metadata } } } }')
    expect(body.extensions.cost.actual).toBeGreaterThanOrEqual(4)
    expect(body.extensions.cost.requested).toBe(1)
  })

  it('is there where nothing ran, for a mutation, and for several operations in one document', async () => {
    const tenant = await harness.dashboard.newTenant()
    const cost = (remaining: number) => ({ requested: 1, actual: 1, limit: LIMIT, remaining })
    expect((await told(tenant, '{ nothing }')).body.extensions).toEqual({ cost: cost(LIMIT - 1) })
    const { query, variables } = registerMany(tenant, 1)
    expect((await told(tenant, query, variables)).body.extensions).toEqual({ cost: cost(LIMIT - 2) })
    const { body } = await told(tenant, '{ a: products { pix } b: products { kyc } }')
    expect(body.extensions.cost).toEqual({ requested: 2, actual: 2, limit: LIMIT, remaining: LIMIT - 4 })
  })
})

describe('metadata', () => {
  const large = { note: 'x'.repeat(16 * 1024) }

  it('has at most 16 KB, over REST and GraphQL, from an order too', async () => {
    const tenant = await harness.dashboard.newTenant()
    const order = await tenant.createOrder()
    const failure = { field: 'metadata', message: 'must be at most 16 KB of JSON' }
    for (const body of [registerBody(tenant, { metadata: large }), { order_code: order, metadata: large }]) {
      const answer = await tenant.post(REGISTER, body)
      expect(answer.body).toMatchObject({ statusCode: 400, status: 'validation_error', errors: [failure] })
    }
    const checkout =
      'mutation ($input: RegisterCheckoutPaymentInput!) { registerCheckoutPayment(input: $input) { payment { id } errors { code path } } }'
    const answer = await ask(tenant, checkout, { input: { orderCode: order, metadata: large } })
    expect(answer.body.data).toEqual({
      registerCheckoutPayment: { payment: null, errors: [{ code: 'VALIDATION_ERROR', path: ['metadata'] }] },
    })
    const most = { note: 'ç'.repeat(8 * 1024 - 6) }
    expect(await tenant.register({ metadata: most })).toMatch(/^c/)
  })

  it('that is too large is told beside what else is wrong', async () => {
    const tenant = await harness.dashboard.newTenant()
    const body = registerBody(tenant, { metadata: large, amount_from: 5 })
    const { body: answer } = await tenant.post(REGISTER, body)
    expect(answer.errors?.map(({ field }) => field).toSorted()).toEqual(['amount_from', 'metadata'])
  })
})

describe('an answer', () => {
  it('of more than 10 MB is refused with a code, also when its query is known', async () => {
    const tenant = await harness.dashboard.newTenant()
    const id = await tenant.register()
    // As it was stored before metadata had a bound.
    const metadata = JSON.stringify({ note: 'x'.repeat(250_000) })
    await harness.sql('update payments.payment set metadata = $1 where id = $2', [metadata, id])
    const query = `query ($id: ID!) { payment(id: $id) { ${Array.from({ length: 45 }, (_, index) => `m${index}: metadata`).join(' ')} } }`
    for (const way of ['by Apollo', 'known']) {
      const answer = await ask(tenant, query, { id })
      expect([way, answer.text.length < 1_000]).toEqual([way, true])
      const message = 'The answer would be larger than 10 MB; ask for less at once.'
      expect(answer.body).toMatchObject({ errors: [{ message, extensions: { code: 'ANSWER_TOO_LARGE' } }], data: null })
    }
    const half = await ask(tenant, `query ($id: ID!) { payment(id: $id) { metadata } }`, { id })
    expect(half.text.length).toBeGreaterThan(250_000)
  })
})

describe('a subscription', () => {
  it.each([
    ['application/json', 400],
    ['application/graphql-response+json', 400],
  ])('is refused to a client that accepts %s, as its answer is a stream', async (accept, status) => {
    const tenant = await harness.dashboard.newTenant()
    const query = 'subscription { paymentsUpdated { id } }'
    const answer = await harness.graphql(query, {}, { as: tenant, headers: { accept } })
    expect(answer.status).toBe(status)
    const message = 'A subscription is answered as a stream: send `accept: text/event-stream`.'
    expect(answer.body).toMatchObject({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] })
    expect(answer.body.data).toBeUndefined()
  })
})
