import { describe, expect, it } from 'vitest'
import { startProcessHarness } from '../harness/process-harness.js'
import { REGISTER, registerBody } from '../harness/rest-payments.js'
import { until } from '../harness/until.js'

const harness = await startProcessHarness()
const product = await harness.start('data', { LOG_LEVEL: 'info', METRICS_PORT: '0', RATE_LIMIT_PER_MINUTE: '600' })
const tenant = await harness.dashboard.newTenant()
const { key } = tenant

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

/** Each answer has one line of its own that says this. */
async function assertLogged(asked: readonly [Response, object][]): Promise<void> {
  for (const [answer, expected] of asked) {
    const lines = () => linesOf(answer.headers.get('x-request-id')).filter(({ msg }) => msg === 'request')
    await until('the line is written', () => lines().length > 0)
    expect(lines()).toMatchObject([{ level: 30, ms: expect.any(Number) as number, ...expected }])
  }
}

describe('the log of a process', () => {
  it('says of what a payment page refuses why it did', async () => {
    const terms = registerBody(tenant, { payment_method_allowed: { pixcrypto: true } })
    const { data: registered } = (await (await post(REGISTER, terms)).json()) as { data: { payment_id: string } }
    const address = `${product.url}/payment/${registered.payment_id}/status`
    const found = await fetch(address, { headers: { 'x-api-key': key } })
    const { data: payment } = (await found.json()) as { data: { session_payment: string } }
    const page = new URL(payment.session_payment).pathname
    const payer = { email: 'ana@example.com', cpf: '529.982.247-25' }
    const at = (name: string, body: object) => post(`${page}/${name}`, body, {})
    await assertLogged([
      [await fetch(product.url + page), { route: '/pay/:token', status: 200, code: 'ok' }],
      [
        await at('receipt', { email: 'nobody' }),
        { route: '/pay/:token/receipt', status: 400, code: 'validation_error' },
      ],
      [await at('receipt', payer), { status: 409, code: 'invalid_payment_status' }],
      [await at('pix', payer), { route: '/pay/:token/pix', status: 403, code: 'kyc_verification_required' }],
      [await at('solana', {}), { route: '/pay/:token/solana', status: 400, code: 'validation_error' }],
      [await at('identity-state', payer), { status: 403, code: 'identity_not_verified' }],
      [await fetch(`${product.url + page}/qr.svg`), { route: '/pay/:token/qr.svg', status: 404, code: 'not_found' }],
      [await fetch(`${product.url + page}/logo`), { route: '/pay/:token/logo', status: 404, code: 'not_found' }],
      [await fetch(`${product.url}/pay/forged`), { route: '/pay/:token', status: 404, code: 'not_found' }],
      [await fetch(`${product.url}/pay/forged/state`), { status: 404, code: 'not_found' }],
      [await fetch(`${product.url}/pay-reminders/forged`), { status: 404, code: 'not_found' }],
    ])
    const answers = await Promise.all(Array.from({ length: 4 }, () => at('identity-code', payer)))
    const late = answers.filter(({ status }) => status === 429)
    expect(late.length).toBeGreaterThan(0)
    await assertLogged(late.map((answer): [Response, object] => [answer, { status: 429, code: 'rate_limited' }]))
  })

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
    await assertLogged(asked)
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
