import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../rest-compat/routes.js'
import { orderBody, REGISTER, registerBody } from '../harness/rest-payments.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()

const JSON_TYPE = { 'content-type': 'application/json' }
const withBody = ROUTES.filter(
  ({ method, path }) => !['GET', 'DELETE'].includes(method) && !/\/(toggle|cancel|replay)$/.test(path),
)
/** Nothing has to be said to it: an empty body is as good as none. */
const MAY_LACK = '/payment/:id/refund'
const concrete = (path: string) => path.replace(/:\w+/g, 'c000000000000000000000000')

describe('a body', () => {
  it.each(withBody.map((route) => [route.method, route.path, route.badInput ?? 'validation_error'] as const))(
    'of %s %s is refused where it is not JSON, not an object, or empty, with %s',
    async (method, path, bad) => {
      for (const body of ['{', 'nonsense', '', '[]', '"text"', '7', 'null', 'true', '{"a":1}}', '{"a":\u0000}']) {
        const answer = await harness.rest(method, concrete(path), { as: harness.tenant, body, headers: JSON_TYPE })
        const isNothing = path === MAY_LACK && body === ''
        const status = isNothing ? 404 : 400
        expect([body, answer.status, answer.body.statusCode]).toEqual([body, status, status])
        if (isNothing) continue
        expect(answer.body.status).toBe(bad)
        if (bad === 'validation_error') expect(answer.body.errors?.[0]?.field).toBe('body')
      }
    },
  )

  it.each(withBody.map(({ method, path }) => [method, path] as const))(
    'of %s %s is refused above 256 KiB with 413, in another format with 415',
    async (method, path) => {
      const large = JSON.stringify({ a: 'x'.repeat(256 * 1024) })
      const tooLarge = await harness.rest(method, concrete(path), { as: harness.tenant, body: large })
      expect(tooLarge.body).toMatchObject({ statusCode: 413, success: false, status: 'payload_too_large' })
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense']) {
        const headers = { 'content-type': type }
        const answer = await harness.rest(method, concrete(path), { as: harness.tenant, body: '{"a":1}', headers })
        expect([type, answer.status, answer.body.status]).toEqual([type, 415, 'unsupported_media_type'])
      }
    },
  )

  it('just below 256 KiB is read', async () => {
    const body = JSON.stringify({ ...registerBody(harness.tenant), padding: 'x'.repeat(255 * 1024) })
    expect((await harness.tenant.post(REGISTER, body)).status).toBe(201)
  })

  it('that is nested as deeply as it can be is refused like any other', async () => {
    for (const body of [
      `${'['.repeat(120_000)}${']'.repeat(120_000)}`,
      `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
    ]) {
      expect((await harness.tenant.post(REGISTER, body)).status).toBe(400)
    }
  })

  it('with a charset and a parameter in its type is read', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const answer = await harness.rest('POST', REGISTER, {
      as: harness.tenant,
      body: registerBody(harness.tenant),
      headers,
    })
    expect(answer.status).toBe(201)
  })

  it.each(['utf-8', 'UTF8', '"utf-8"', 'us-ascii', '"US-ASCII"'])('in %s is read', async (charset) => {
    const headers = { 'content-type': `application/json;charset=${charset}` }
    const body = registerBody(harness.tenant, { metadata: { name: 'Conceição' } })
    expect((await harness.rest('POST', REGISTER, { as: harness.tenant, body, headers })).status).toBe(201)
  })

  it.each(['latin1', 'iso-8859-1', '"windows-1252"', 'utf-16', 'UTF-16LE', 'utf-8;charset=latin1'])(
    'in %s is refused with 415 where it would be misread, as all of them are read as UTF-8',
    async (charset) => {
      const headers = { 'content-type': `application/json; charset=${charset}` }
      const plain = registerBody(harness.tenant)
      expect((await harness.rest('POST', REGISTER, { as: harness.tenant, body: plain, headers })).status).toBe(201)
      const body = registerBody(harness.tenant, { metadata: { name: 'Conceição' } })
      const { body: answer } = await harness.rest('POST', REGISTER, { as: harness.tenant, body, headers })
      const message = 'The body must be application/json in UTF-8.'
      expect(answer).toEqual({ statusCode: 415, success: false, status: 'unsupported_media_type', message })
      // Who calls is asked first.
      expect((await harness.rest('POST', REGISTER, { body, headers })).status).toBe(401)
    },
  )

  it('is not needed to toggle an order, whatever type is announced', async () => {
    const id = await harness.tenant.createOrder()
    for (const method of ['PATCH', 'POST']) {
      for (const headers of [{}, JSON_TYPE]) {
        for (const body of [undefined, '', '{}']) {
          const answer = await harness.rest(method, `/order/${id}/toggle`, { as: harness.tenant, body, headers })
          expect([method, headers, body, answer.status]).toEqual([method, headers, body, 200])
        }
      }
    }
  })
})

describe('a text that is too long', () => {
  const messagesOf = async (path: string, body: unknown) => (await harness.tenant.post(path, body)).body.errors

  it.each([
    ['1'.repeat(31), 'must have at most 30 digits before the point'],
    [`1.${'1'.repeat(19)}`, 'must have at most 18 decimals'],
  ])('as an amount is told its bound: %s', async (amount_from, message) => {
    const told = [{ field: 'amount_from', message }]
    expect(await messagesOf(REGISTER, registerBody(harness.tenant, { amount_from }))).toEqual(told)
    expect(await messagesOf('/order/create', orderBody({ amount_from }))).toEqual(told)
  })

  it('as a URL is told its bound', async () => {
    const long = `https://shop.example/${'a'.repeat(2048)}`
    const message = 'must have at most 2048 characters'
    const order_items = [{ name: 'Shoe', quantity: 1, image_url: long }]
    expect(await messagesOf('/order/create', orderBody({ order_items, success_url: long }))).toEqual([
      { field: 'success_url', message },
      { field: 'order_items.0.image_url', message },
    ])
  })
})

describe('a path', () => {
  it('that is not in the table answers 404 not_found in the envelope, with any method and any body', async () => {
    for (const path of [
      '/nope',
      '/order',
      '/payment/x',
      '/order/list/a/b',
      `/order/list/${'a'.repeat(600)}`,
      '/PAYMENT/x/status',
    ]) {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT']) {
        for (const body of method === 'GET' ? [undefined] : [undefined, '{', 'x'.repeat(300_000)]) {
          if (path === '/order' && method === 'PATCH') continue
          const answer = await harness.rest(method, path, { as: harness.tenant, body })
          expect([method, path, body?.slice(0, 9), answer.status, answer.body]).toEqual([
            method,
            path,
            body?.slice(0, 9),
            404,
            { statusCode: 404, success: false, status: 'not_found', message: expect.any(String) },
          ])
        }
      }
    }
  })

  it('that cannot be decoded answers 404 too', async () => {
    for (const path of ['/order/list/%E0%A4%A', '/payment/%zz/status', '/%']) {
      const answer = await harness.tenant.get(path)
      expect([path, answer.body]).toEqual([
        path,
        expect.objectContaining({ statusCode: 404, success: false, status: 'not_found' }),
      ])
    }
  })

  it.each([...new Set(ROUTES.map(({ path }) => path))])('%s answers 405 with Allow to other methods', async (path) => {
    const taken = ROUTES.filter((route) => route.path === path).map(({ method }) => method as string)
    for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']) {
      if (taken.includes(method)) continue
      const answer = await harness.rest(method, concrete(path), { as: harness.tenant })
      expect(answer.body).toMatchObject({ statusCode: 405, success: false, status: 'method_not_allowed' })
      expect(answer.headers['allow']?.split(', ').sort()).toEqual(taken.toSorted())
    }
  })
})

describe('paths like the document’s', () => {
  it.each([
    '/yield/strategies/',
    '/yield/rebalance-opportunities/',
    '/order/',
    '/order/list/',
    '/payment//status',
    '/payment//events',
  ])('%s, with a part that is empty, is unknown', async (path) => {
    const answer = await harness.tenant.get(path)
    expect(answer.body).toMatchObject({ statusCode: 404, success: false, status: 'not_found' })
  })

  it('the events of a payment are not asked for by HEAD', async () => {
    const answer = await harness.rest('HEAD', `/payment/c${'0'.repeat(24)}/events`, { as: harness.tenant })
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET'])
  })
})

describe('a request id', () => {
  it('of the caller is given back where it is fit for a log, otherwise replaced', async () => {
    const ask = async (id: string) =>
      (await harness.rest('GET', '/config/products', { as: harness.tenant, headers: { 'x-request-id': id } })).headers[
        'x-request-id'
      ]
    expect(await ask('order-12345678')).toBe('order-12345678')
    expect(await ask('x')).toMatch(/^c[a-z0-9]{24}$/)
    expect(await ask(`${'a'.repeat(200)}`)).toMatch(/^c[a-z0-9]{24}$/)
  })
})

describe('bytes that are no HTTP', () => {
  it.each([
    ['NONSENSE\r\n\r\n', 400, 'bad_request'],
    [`GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('are answered in the envelope, without a word about the server', async (bytes, statusCode, status) => {
    const { port, hostname } = new URL(harness.url)
    const socket = connect(Number(port), hostname)
    socket.end(bytes)
    const answer = await text(socket)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${statusCode} `))
    expect(answer).not.toMatch(/fastify|node|stack/i)
    const [, body = ''] = answer.split('\r\n\r\n')
    expect(JSON.parse(body)).toEqual({ statusCode, success: false, status, message: expect.any(String) })
  })
})
