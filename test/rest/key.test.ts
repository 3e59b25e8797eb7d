import { describe, expect, it } from 'vitest'
import { rateRefusal } from '../../gateway/authentication/hook.js'
import { ROUTES } from '../../rest-compat/routes.js'
import { REGISTER, registerBody } from '../harness/rest-payments.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()
/** Also a deployment that fixes the prefix of its integrations. */
const anyCase = await startHarness({ API_KEY_HEADER: 'any-case', PUBLIC_CLIENT_ID_PREFIX: 'pk_' })
const limited = await startHarness({ RATE_LIMIT_PER_MINUTE: '60' })

const concrete = (path: string) => path.replace(/:\w+/g, 'c000000000000000000000000')
const get = (headers: Record<string, string>, path = '/config/products') => harness.rest('GET', path, { headers })
const DENIED = { code: 403, message: 'Access denied. A valid API Key is required.', docs: expect.any(String) }
const UNAUTHORIZED = { statusCode: 401, success: false, status: 'unauthorized', message: 'Invalid or missing API key.' }

describe('the key', () => {
  it.each(ROUTES.map(({ method, path }) => [method, path] as const))(
    'of %s %s: none or a bad one is 401, another header 403, before the body is looked at',
    async (method, path) => {
      const ask = (headers: Record<string, string>) =>
        harness.rest(method, concrete(path), { headers, ...(method !== 'GET' && { body: '{' }) })
      const { key } = harness.tenant
      expect((await ask({})).body).toEqual(UNAUTHORIZED)
      for (const bad of ['', 'x', `${key}x`, key.slice(0, -1), key.replace('sk_test_', 'sk_live_'), ` ${key}x`]) {
        expect((await ask({ 'x-api-key': bad })).body).toEqual(UNAUTHORIZED)
      }
      for (const name of ['X-API-Key', 'X-Api-Key', 'Authorization', 'authorization', 'api_key', 'API_KEY']) {
        const answer = await ask({ [name]: name.toLowerCase() === 'authorization' ? `Bearer ${key}` : key })
        const hint = /^x-api-key$/i.test(name)
          ? `your client sent ${name}; the name has to be x-api-key in lower case`
          : `your client sent ${name}; the key has to be in x-api-key`
        expect([name, answer.status, answer.body]).toEqual([name, 403, { ...DENIED, hint }])
      }
    },
  )

  it.each(['X-API-Key', 'X-Api-Key', 'x-api-key'])(
    'as %s counts where the deployment says that any case does, and Authorization still does not',
    async (name) => {
      const { key } = await anyCase.dashboard.newTenant()
      const ask = (headers: Record<string, string>) => anyCase.rest('GET', '/config/products', { headers })
      expect((await ask({ [name]: key })).status).toBe(200)
      expect((await ask({ Authorization: `Bearer ${key}` })).body).toMatchObject({
        ...DENIED,
        hint: expect.any(String),
      })
    },
  )

  it('is refused within 5 seconds of its revocation, while the others of the tenant go on', async () => {
    const tenant = await harness.dashboard.newTenant()
    const second = await harness.dashboard.newKey(tenant, { expiresAt: null })
    expect((await get({ 'x-api-key': second.key })).status).toBe(200)
    await harness.dashboard.revoke(second.keyId)
    harness.clock.advance(5_000)
    expect((await get({ 'x-api-key': second.key })).body).toEqual(UNAUTHORIZED)
    expect((await get({ 'x-api-key': tenant.key })).status).toBe(200)
  })

  it('is refused from the moment on at which it expires', async () => {
    const expiresAt = new Date(harness.clock.now().getTime() + 60_000)
    const { key } = await harness.dashboard.newKey(harness.tenant, { expiresAt })
    expect((await get({ 'x-api-key': key })).status).toBe(200)
    harness.clock.advance(60_000)
    expect((await get({ 'x-api-key': key })).body).toEqual(UNAUTHORIZED)
  })
})

describe('PUBLIC_CLIENT_ID_PREFIX', () => {
  it('is the only prefix that a public_client_id may have; a CUID may be without', async () => {
    const tenant = await anyCase.dashboard.newTenant()
    const [foreign, cuid] = [`acme_${'ab'.repeat(16)}`, 'cly3f0q8x0000ab12cd34ef56']
    for (const id of [foreign, cuid]) await anyCase.dashboard.addIntegration(tenant, id)
    const registered = async (id: string) => {
      const tenantData = { ...tenant.tenantData, public_client_id: id }
      const body = registerBody(tenant, { tenant_data: tenantData })
      const answer = await anyCase.rest('POST', REGISTER, { as: tenant, body })
      return [answer.status, answer.body.errors]
    }
    const field = 'tenant_data.public_client_id'
    expect(await registered(foreign)).toEqual([
      400,
      [{ field, message: 'must be a prefix followed by 32 hex characters' }],
    ])
    expect(await registered(cuid)).toEqual([201, undefined])
    expect(await registered(tenant.tenantData.public_client_id)).toEqual([201, undefined])
  })
})

describe('the platform key', () => {
  it.each(
    ROUTES.filter(({ errors, method }) => errors.includes('customer_not_logged') && method !== 'GET').map(
      ({ method, path }) => [method, path],
    ),
  )('is refused by %s %s before the body is looked at', async (method = '', path = '') => {
    const as = await harness.dashboard.platformKey()
    for (const body of ['{', '{}', '{"amount_from":7}']) {
      const answer = await harness.rest(method, concrete(path), { as, body })
      expect([body, answer.body.statusCode, answer.body.status]).toEqual([body, 401, 'customer_not_logged'])
    }
  })

  it('sees the products of the deployment', async () => {
    const answer = await harness.rest('GET', '/config/products', { as: await harness.dashboard.platformKey() })
    expect(answer.body.data).toEqual({ crypto: true, pix: true, credit_card: true, kyc: true, yield: false })
  })
})

describe('the rate', () => {
  it('of 600 a minute is refused in these words', () => {
    expect(rateRefusal('https://api.example.com/docs', 600)).toEqual({
      code: 429,
      message: 'Rate limit exceeded: 600 requests per minute (10 per second).',
      docs: 'https://api.example.com/docs',
    })
  })

  it('is told also where the key cannot be looked up: the whole where nothing is known of it, else what is left', async () => {
    const [fresh, known] = [await limited.dashboard.newTenant(), await limited.dashboard.newTenant()]
    const ask = async (path: string, as: typeof fresh) => {
      const method = path === '/graphql' ? 'POST' : 'GET'
      const body = method === 'POST' ? { body: { query: '{ products { pix } }' } } : {}
      const { status, headers } = await limited.rest(method, path, { as, ...body })
      return [status, headers['ratelimit-policy'], String(headers['ratelimit']).split(';')[1]]
    }
    const policy = '"default";q=60;w=60'
    expect(await ask('/config/products', known)).toEqual([200, policy, 'r=59'])
    limited.clock.advance(5_000)
    await limited.withoutTable('accounts.api_key', async () => {
      expect(await ask('/config/products', fresh)).toEqual([500, policy, 'r=60'])
      expect(await ask('/graphql', fresh)).toEqual([500, policy, 'r=60'])
      expect(await ask('/config/products', known)).toEqual([500, policy, 'r=58'])
    })
    expect(await ask('/config/products', fresh)).toEqual([200, policy, 'r=59'])
  })

  it('is told with every answer, and refuses the 61st request of a minute at the gateway', async () => {
    const { tenant } = limited
    const answers = []
    for (let index = 0; index < 61; index += 1)
      answers.push(await limited.rest('GET', '/config/products', { as: tenant }))
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(60).fill(200), 429])
    const [first] = answers
    const last = answers.at(-1)
    expect(first?.headers['ratelimit-policy']).toBe('"default";q=60;w=60')
    expect(first?.headers['ratelimit']).toMatch(/^"default";r=59;t=\d+$/)
    expect(last?.body).toEqual({
      code: 429,
      message: 'Rate limit exceeded: 60 requests per minute (1 per second).',
      docs: expect.stringMatching(/\/docs$/),
    })
    expect(last?.headers['ratelimit']).toMatch(/^"default";r=0;t=\d+$/)
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(last?.headers['retry-after'])).toBeLessThanOrEqual(60)
    // The rate comes before the key's own status, so it is no way to find out about keys.
    limited.clock.advance(60_000)
    expect((await limited.rest('GET', '/config/products', { as: tenant })).status).toBe(200)
  })

  it('counts paths and methods that there are not, and is told with their answers, no matter who asks', async () => {
    const tenant = await limited.dashboard.newTenant()
    for (const [method, path, status] of [
      ['GET', '/nope', 404],
      ['DELETE', '/config/products', 405],
      ['GET', '/%', 404],
    ] as const) {
      const ask = (as?: typeof tenant) => limited.rest(method, path, { as })
      for (let count = 0; count < 2; count += 1) {
        const stranger = await ask()
        expect([stranger.status, stranger.headers['ratelimit']]).toEqual([status, '"default";r=60;t=60'])
        expect(stranger.headers['ratelimit-policy']).toBe('"default";q=60;w=60')
      }
      const { key } = await limited.dashboard.newKey(tenant, { expiresAt: null })
      const asKey = () => limited.rest(method, path, { as: key })
      const answers = []
      for (let index = 0; index < 61; index += 1) answers.push(await asKey())
      expect(answers.map((answer) => answer.status)).toEqual([...Array<number>(60).fill(status), 429])
      expect(answers[0]?.headers['ratelimit']).toMatch(/^"default";r=59;t=\d+$/)
      expect((await limited.rest('GET', '/config/products', { as: key })).status).toBe(429)
    }
  })

  it('of one key is nothing to another of the same tenant', async () => {
    const tenant = await limited.dashboard.newTenant()
    const { key } = await limited.dashboard.newKey(tenant, { expiresAt: null })
    for (let index = 0; index < 60; index += 1) await limited.rest('GET', '/config/products', { as: tenant })
    expect((await limited.rest('GET', '/config/products', { as: tenant })).status).toBe(429)
    expect((await limited.rest('GET', '/config/products', { as: key })).status).toBe(200)
  })
})
