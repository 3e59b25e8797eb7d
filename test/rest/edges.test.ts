import { describe, expect, it } from 'vitest'
import { type Answer, send } from '../harness/http.js'
import { REGISTER, registerBody } from '../harness/rest-payments.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()

const LARGE = JSON.stringify('x'.repeat(300_000))
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

const at = (method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> =>
  send({ method, url: `${harness.url}${path}`, headers, body })

/** The path of a payment's page. */
const pagePath = async () => harness.tenant.pagePath(await harness.tenant.register())

describe('outside the contract', () => {
  it.each([
    ['POST', '/callbacks/card/hook', JSON_TYPE, LARGE, 'payload_too_large', 413],
    ['POST', '/sandbox/clock', JSON_TYPE, LARGE, 'payload_too_large', 413],
    ['POST', '/sandbox/clock', FORM_TYPE, 'a=b', 'unsupported_media_type', 415],
    ['POST', '/sandbox/clock', JSON_TYPE, '{', 'validation_error', 400],
    ['GET', '/callbacks/card/hook', {}, undefined, 'not_found', 404],
    ['PUT', '/sandbox/clock', JSON_TYPE, '{}', 'not_found', 404],
    ['POST', '/pay/token', FORM_TYPE, 'a=b', 'not_found', 404],
    ['POST', '/docs', JSON_TYPE, LARGE, 'not_found', 404],
    ['GET', '/nothing/here', {}, undefined, 'not_found', 404],
    ['GET', '/graphql/here', {}, undefined, 'not_found', 404],
    ['GET', '/%zz', {}, undefined, 'not_found', 404],
  ])('%s %s with %j answers our envelope', async (method, path, headers, body, code, status) => {
    const answer = await at(method, path, headers, body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ statusCode: status, success: false, status: code })
    expect(Object.keys(answer.body)).not.toContain('error')
  })

  it('GraphQL answers in its own form', async () => {
    const key = { 'x-api-key': harness.tenant.key }
    const large = await at('POST', '/graphql', { ...key, ...JSON_TYPE }, LARGE)
    expect([large.status, large.body.errors]).toMatchObject([413, [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }]])
    const form = await at('POST', '/graphql', { ...key, ...FORM_TYPE }, 'a=b')
    expect([form.status, form.body.errors]).toMatchObject([415, [{ extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }]])
  })
})

describe('an answer', () => {
  it('is kept by no cache, with a key or without, good or bad', async () => {
    const key = { 'x-api-key': harness.tenant.key }
    const query = JSON.stringify({ query: '{ products { pix } }' })
    const inAddress = `/graphql?query=${encodeURIComponent('{ products { pix } }')}`
    const byHash = `/graphql?extensions=${encodeURIComponent(JSON.stringify({ persistedQuery: { version: 1, sha256Hash: 'ff' } }))}`
    const answers = [
      await at('GET', '/config/products', key),
      await at('GET', '/config/products'),
      await at('GET', '/order/list?page=x', key),
      await at('POST', '/graphql', { ...key, ...JSON_TYPE }, query),
      await at('POST', '/graphql', { ...key, ...JSON_TYPE }, query),
      await at('POST', '/graphql', { ...key, ...JSON_TYPE }, '{"query":"{ nothing }"}'),
      await at('POST', '/graphql', JSON_TYPE, query),
      await at('GET', inAddress, key),
      await at('GET', inAddress, key),
      await at('GET', byHash, key),
      await at('GET', inAddress),
      await at('POST', '/callbacks/card/hook', JSON_TYPE, '{}'),
      await at('GET', await pagePath()),
      await at('GET', '/pay/forged'),
      await at('GET', '/nothing/here', key),
    ]
    expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(answers.map(() => 'no-store'))
  })

  it('lists a bounded number of bad fields', async () => {
    const split = Array.from({ length: 20_000 }, () => 'bad')
    const body = registerBody(harness.tenant, { split_payment_config: split })
    const answer = await harness.tenant.post(REGISTER, body)
    expect(answer.body.errors).toHaveLength(50)
  })
})

describe('a payment page', () => {
  it('is looked at so often a minute, and others still are', async () => {
    const [path, other] = [await pagePath(), await pagePath()]
    // More than fill up again while they are answered, however slowly.
    const looks = await Promise.all(Array.from({ length: 400 }, () => at('GET', path)))
    const refused = looks.filter(({ status }) => status !== 200)
    expect(looks.length - refused.length).toBeGreaterThanOrEqual(120)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, headers } of refused) expect([status, headers['retry-after']]).toEqual([429, '1'])
    expect((await at('GET', other)).status).toBe(200)
  })
})
