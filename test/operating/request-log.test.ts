import { describe, expect, it } from 'vitest'
import { startProcessHarness } from '../harness/process-harness.js'
import { until } from '../harness/until.js'

const harness = await startProcessHarness()
const product = await harness.start('data', { LOG_LEVEL: 'info', METRICS_PORT: '0', RATE_LIMIT_PER_MINUTE: '600' })
const key = await harness.dashboard.newTenant().then((tenant) => tenant.key)

/** The lines of the log about one request. */
const linesOf = (requestId: string | null) =>
  product
    .output()
    .split('\n')
    .filter((line) => requestId !== null && line.includes(requestId))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const post = (path: string, body: object, headers: Record<string, string> = { 'x-api-key': key }) =>
  fetch(product.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('the log of a process', () => {
  it('has one line for each request, under the id that its answer carries', async () => {
    const asked: [Response, object][] = [
      [
        await post('/payment/register/intents-create-order', {}),
        { route: '/payment/register/intents-create-order', status: 400, code: 'validation_error' },
      ],
      [
        await fetch(`${product.url}/config/products`, { headers: { 'x-api-key': key } }),
        { method: 'GET', route: '/config/products', status: 200 },
      ],
      [
        await post('/graphql', { query: '{ payment(id: "p1") { id } nothing }' }),
        { route: '/graphql', status: 200, code: 'graphql_validation_failed' },
      ],
      [await post('/graphql', { query: '{ __typename }' }), { route: '/graphql', code: 'ok' }],
      [await post('/graphql', { query: '{ __typename }' }, {}), { status: 403, code: 'unauthenticated', tenant: null }],
      [await fetch(`${product.url}/nowhere/5500000000000004`), { route: 'none', status: 404, code: 'not_found' }],
    ]
    for (const [answer, expected] of asked) {
      const lines = () => linesOf(answer.headers.get('x-request-id')).filter(({ msg }) => msg === 'request')
      await until('the line is written', () => lines().length > 0)
      expect(lines()).toMatchObject([{ level: 30, ms: expect.any(Number) as number, ...expected }])
    }
    expect(product.output()).not.toContain('5500000000000004')
  })

  it('does not write down that a supervisor asks whether it lives', async () => {
    const answer = await fetch(`${product.url}/healthz`)
    expect(linesOf(answer.headers.get('x-request-id'))).toEqual([])
  })
})

describe('GET /metrics', () => {
  it('counts requests by route and word, and tells what waits, on a port of its own', async () => {
    const port = /"metricsPort":(\d+)/.exec(product.output())?.[1]
    const text = await fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text())
    expect(text).toMatch(
      /http_request_duration_seconds_count\{[^}]*route="\/config\/products"[^}]*status="200"[^}]*\} 1/,
    )
    expect(text).toContain('jobs_oldest_due_seconds')
    expect(text).toContain('# TYPE payouts_waiting gauge')
    expect(text).toContain('process_resident_memory_bytes')
    expect((await fetch(`${product.url}/metrics`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  })
})
