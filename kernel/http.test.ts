import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino, stdSerializers } from 'pino'
import { describe, expect, it } from 'vitest'
import { AppError } from './errors.js'
import { createHttpClient, toAppError, type HttpClient, type HttpClientOptions, type HttpRequest } from './http.js'
import { ProviderError } from './provider-error.js'
import { deadUrl, serve } from '../test/harness/serve.js'

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A provider that gives these answers in turn, the last one for ever, and a client of it that never really waits. */
async function provider(answers: Answer[], options: Partial<HttpClientOptions> = {}) {
  const calls: {
    method: string | undefined
    url: string | undefined
    headers: IncomingMessage['headers']
    body: string
  }[] = []
  const { url: baseUrl } = await serve((request, response) => {
    void text(request).then((body) => {
      const answer = answers[Math.min(calls.length, answers.length - 1)]
      calls.push({ method: request.method, url: request.url, headers: request.headers, body })
      answer?.(request, response, body)
    })
  })
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const waits: number[] = []
  const delay = (ms: number) => {
    waits.push(ms)
    return Promise.resolve()
  }
  const client = createHttpClient({
    provider: 'acme',
    baseUrl: `${baseUrl}/base`,
    timeoutMs: 5000,
    log,
    delay,
    ...options,
  })
  return { client, calls, waits, lines, baseUrl }
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
const cut: Answer = (request) => request.socket.destroy()
/** Pino's numbers of its levels. */
const DEBUG = 20
const INFO = 30
const silent: Answer = () => undefined
const get: HttpRequest = { method: 'GET', path: '/things', idempotent: true }
const post: HttpRequest = { method: 'POST', path: '/things', body: { a: 1 }, idempotent: false }

async function failure(client: HttpClient, request: HttpRequest): Promise<ProviderError> {
  const error: unknown = await client.request(request).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ProviderError)) throw new Error('expected a ProviderError')
  return error
}

describe('requests', () => {
  it('carries query, headers and a JSON or form body, and reads the JSON answer', async () => {
    const { client, calls } = await provider([json(201, { ok: true })], { headers: { 'x-key': 'k' } })
    const query = { 'a b': 'ü&=', n: 2, absent: undefined }
    expect(await client.request({ ...post, query, headers: { 'x-one': '1' } })).toMatchObject({
      status: 201,
      body: { ok: true },
    })
    await client.request({ ...post, body: new URLSearchParams({ grant_type: 'client credentials' }) })
    expect(calls[0]).toMatchObject({
      method: 'POST',
      url: '/base/things?a+b=%C3%BC%26%3D&n=2',
      body: '{"a":1}',
      headers: { 'x-key': 'k', 'x-one': '1', 'content-type': 'application/json' },
    })
    expect(calls[1]).toMatchObject({
      body: 'grant_type=client+credentials',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  })

  it('takes a 2xx answer without a body', async () => {
    const { client } = await provider([(_request, response) => response.writeHead(204).end()])
    expect(await client.request(get)).toMatchObject({ status: 204, body: undefined })
  })

  it('refuses a path that leads elsewhere than it reads', async () => {
    const { client, calls, baseUrl } = await provider([json(200, {})])
    const rooted = await provider([json(200, {})], { baseUrl })
    expect(await failure(rooted.client, { ...get, path: '//127.0.0.2/x' })).toMatchObject({ kind: 'invalid_request' })
    for (const path of ['/things/../keys', 'things', '/things?x=1', '/things/%2e%2e/keys', '/a\\..\\b']) {
      expect(await failure(client, { ...get, path }), path).toMatchObject({ kind: 'invalid_request', retryable: false })
    }
    expect(calls).toHaveLength(0)
  })

  it('follows no redirect', async () => {
    const { client, calls } = await provider([json(302, {}, { location: '/base/other' })])
    expect(await failure(client, get)).toMatchObject({ kind: 'protocol', httpStatus: 302 })
    expect(calls).toHaveLength(1)
  })

  it('refuses an answer that is not JSON, and one that is too large', async () => {
    const text: Answer = (_request, response) => response.end('<html>')
    const large: Answer = (_request, response) => response.end(JSON.stringify('x'.repeat(6 * 1024 * 1024)))
    expect(await failure((await provider([text])).client, get)).toMatchObject({ kind: 'protocol' })
    expect(await failure((await provider([large])).client, get)).toMatchObject({ kind: 'protocol' })
  })
})

describe('failures', () => {
  it.each([
    [400, 'invalid_request'],
    [401, 'auth'],
    [402, 'declined'],
    [403, 'auth'],
    [404, 'not_found'],
    [409, 'conflict'],
    [422, 'invalid_request'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [503, 'unavailable'],
    [504, 'timeout'],
  ])('reads %i as %s, with the code and body that the provider gave', async (status, kind) => {
    const { client } = await provider([json(status, { code: -7, msg: 'no' })])
    const error = await failure(client, get)
    expect(error).toMatchObject({
      provider: 'acme',
      kind,
      httpStatus: status,
      providerCode: '-7',
      body: { code: -7, msg: 'no' },
    })
  })

  it('repeats an idempotent request after 429, 502, 503, 504 and a cut connection', async () => {
    for (const answer of [json(429, {}), json(502, {}), json(503, {}), json(504, {}), cut]) {
      const { client, calls, waits } = await provider([answer, answer, json(200, { ok: true })])
      expect(await client.request(get)).toMatchObject({ body: { ok: true } })
      expect(calls).toHaveLength(3)
      expect(waits).toHaveLength(2)
      for (const ms of waits) expect(ms).toBeLessThanOrEqual(200)
    }
  })

  it('gives up after its retries', async () => {
    const { client, calls } = await provider([json(503, {})])
    expect(await failure(client, { ...get, retries: 4 })).toMatchObject({ kind: 'unavailable', retryable: true })
    expect(calls).toHaveLength(5)
  })

  it('repeats nothing that is not transient', async () => {
    for (const status of [400, 401, 404, 409, 500, 501]) {
      const { client, calls } = await provider([json(status, {})])
      await failure(client, get)
      expect(calls, String(status)).toHaveLength(1)
    }
  })

  it('never repeats a request that could do its work twice, and says so', async () => {
    for (const answer of [json(502, {}), json(503, {}), json(504, {}), cut]) {
      const { client, calls } = await provider([answer])
      expect(await failure(client, { ...post, retries: 3 })).toMatchObject({ retryable: false })
      expect(calls).toHaveLength(1)
    }
    const limited = await provider([json(429, {})])
    expect(await failure(limited.client, post)).toMatchObject({ kind: 'rate_limited', retryable: true })
    expect(limited.calls).toHaveLength(1)
  })

  it('knows that a refused connection carried nothing', async () => {
    const { client } = await provider([], { baseUrl: await deadUrl() })
    expect(await failure(client, post)).toMatchObject({ kind: 'unavailable', retryable: true, httpStatus: undefined })
  })

  it('waits as long as the provider asks, within a cap', async () => {
    const past = new Date(0).toUTCString()
    for (const [header, expected] of [
      ['3', 3000],
      ['600', 5000],
      [past, 0],
    ] as const) {
      const { client, waits } = await provider([json(429, {}, { 'retry-after': header }), json(200, {})])
      await client.request(get)
      expect(waits).toEqual([expected])
    }
  })

  it('ends in time whether the provider is silent, stops in the middle, or asks for patience', async () => {
    const middle: Answer = (_request, response) => response.writeHead(200, { 'content-length': '100' }).write('{')
    for (const answer of [silent, middle]) {
      const { client, calls } = await provider([answer], { timeoutMs: 50 })
      expect(await failure(client, get)).toMatchObject({ kind: 'timeout', retryable: true })
      expect(await failure(client, post)).toMatchObject({ kind: 'timeout', retryable: false })
      expect(calls).toHaveLength(2)
    }
    const delay = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal })
    const patient = await provider([json(503, {}, { 'retry-after': '5' })], { timeoutMs: 3_000, delay })
    expect(await failure(patient.client, get)).toMatchObject({ kind: 'unavailable', httpStatus: 503 })
  })
})

describe('secrets', () => {
  it('stay out of the log and out of every form of the error', async () => {
    const { client, lines } = await provider([json(400, { code: 'bad value s3cret', echo: 's3cret' })], {
      headers: { authorization: 's3cret' },
    })
    const error = await failure(client, { ...post, query: { key: 's3cret' }, body: { card: 's3cret' } })
    const seen = [
      ...lines,
      JSON.stringify(error),
      String(error),
      error.stack,
      JSON.stringify(stdSerializers.err(error)),
    ]
    expect(seen.join('\n')).not.toContain('s3cret')
    expect(lines.join('\n')).toContain('/things')
    expect(error.body).toMatchObject({ echo: 's3cret' })
  })
})

describe('the log', () => {
  it('keeps a refusal to itself that the request expects, and tells of any other', async () => {
    const { client, lines } = await provider([json(404, {}), json(404, {}), json(400, {})])
    const level = () => (JSON.parse(lines.at(-1) ?? '{}') as { level?: number }).level
    await failure(client, { ...get, expects: 'not_found' })
    expect(level()).toBe(DEBUG)
    await failure(client, get)
    expect(level()).toBe(INFO)
    await failure(client, { ...get, expects: 'not_found' })
    expect(level()).toBe(INFO)
  })
})

describe('toAppError', () => {
  it('turns a provider failure into what callers may see, and keeps the cause', () => {
    const base = { provider: 'acme', retryable: false, message: 'x' }
    const unavailable = new ProviderError({ ...base, kind: 'auth' })
    expect(toAppError(new ProviderError({ ...base, kind: 'timeout' }))).toMatchObject({ code: 'provider_timeout' })
    expect(toAppError(unavailable)).toMatchObject({ code: 'provider_unavailable', cause: unavailable })
    expect(toAppError(new TypeError('bug'))).toMatchObject({ code: 'server_error' })
    const own = new AppError('pair_not_found')
    expect(toAppError(own)).toBe(own)
  })
})
