import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { send } from '../harness/http.js'
import { startProcessHarness } from '../harness/process-harness.js'
import { CREATE_TRANSACTION, REGISTER, registerBody, transactionBody } from '../harness/rest-payments.js'
import { serve } from '../harness/serve.js'
import { until } from '../harness/until.js'

const NAMES = ['accounts', 'orders', 'kyc', 'yield', 'payments']
const EMAIL = 'traced.payer@example.com'

/** A span as OTLP's JSON has it. */
interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  links?: { traceId: string; spanId: string }[]
  name: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

const spans: (Span & { service: string })[] = []
const texts: string[] = []
const collector = await serve((request, response) => {
  void json(request).then((body) => {
    texts.push(JSON.stringify(body))
    keep(body as Parameters<typeof keep>[0])
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
const harness = await startProcessHarness()
const tracing = (name: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: name })
const parts = await harness.start('parts', { ROLE: [...NAMES, 'worker'].join(','), ...tracing('parts') })
const SUBGRAPH_URLS = NAMES.map((name) => `${name}=${parts.url}/${name}/graphql`).join(',')
const gateway = await harness.start('gateway', { ROLE: 'gateway', SUBGRAPH_URLS, ...tracing('gateway') })
const tenant = await harness.dashboard.newTenant()

function keep({
  resourceSpans,
}: {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] }
    scopeSpans: { spans: Span[] }[]
  }[]
}): void {
  for (const { resource, scopeSpans } of resourceSpans) {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
    for (const { spans: told } of scopeSpans) spans.push(...told.map((span) => ({ ...span, service })))
  }
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await send({
    method: 'POST',
    url: gateway.url + path,
    headers: { 'x-api-key': tenant.key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  expect([answer.status, answer.body.message]).toEqual([201, expect.anything()])
  return answer
}

describe('the traces of two processes', () => {
  it('continue the caller’s, from the route through the subgraph to the provider, and name nothing that is his', async () => {
    const traceId = randomBytes(16).toString('hex')
    const registered = await post(REGISTER, registerBody(tenant))
    const { payment_id: id } = registered.body.data as { payment_id: string }
    const { address } = await harness.chain.newPayer()
    const pay = { ...transactionBody(id, address), payer_email: EMAIL }
    const paying = await post(CREATE_TRANSACTION, pay, { traceparent: `00-${traceId}-${'b7'.repeat(8)}-01` })
    const find = (name: string) => spans.find((span) => span.traceId === traceId && span.name === name)

    const [route, call, provider] = await until('the spans are told', () => {
      const found = [find(`POST ${CREATE_TRANSACTION}`), find('subgraph payments'), find('chain POST')]
      return found.every((span) => span !== undefined) && found
    })
    expect(route).toMatchObject({ service: 'gateway', parentSpanId: 'b7'.repeat(8) })
    expect(attributesOf(route)).toMatchObject({
      'http.route': CREATE_TRANSACTION,
      'http.response.status_code': 201,
      'payments.request_id': paying.headers['x-request-id'],
      'payments.tenant': tenant.id,
    })
    expect(attributesOf(call)).toMatchObject({ 'graphql.operation.type': 'mutation' })
    expect(provider?.service).toBe('parts')
    expect(ancestorsOf(provider)).toEqual(expect.arrayContaining([call?.spanId, route?.spanId]))
    const ofTrace = () => spans.filter((span) => span.traceId === traceId)
    const statement = await until('a statement is told', () =>
      ofTrace().find(({ name }) => name.startsWith('db payment_')),
    )
    expect(statement.service).toBe('parts')
    expect(ancestorsOf(statement)).toEqual(expect.arrayContaining([call?.spanId, route?.spanId]))
    expect(attributesOf(statement)).toMatchObject({
      'db.system.name': 'postgresql',
      'db.query.text': expect.stringContaining('$1') as string,
    })
    // MikroORM writes the values into its statements: only what they do is told of them.
    for (const span of spans.filter(({ name }) => /^db (select|insert|update|delete)/.test(name)))
      expect(Object.keys(attributesOf(span))).not.toContain('db.query.text')
    const job = await until('the job that tells of it is told', () =>
      spans.find(
        ({ name, links = [] }) => name === 'job publish-event' && links.some((link) => link.traceId === traceId),
      ),
    )
    expect(job.traceId).not.toBe(traceId)
    const queuedBy = job.links?.find((link) => link.traceId === traceId)?.spanId
    expect(ofTrace().map(({ spanId }) => spanId)).toContain(queuedBy)
    const registering = spans.filter(({ name }) => name === `POST ${REGISTER}`).map((span) => span.traceId)
    await until('the quiet job of a registration is told', () =>
      spans.some(
        ({ name, links = [] }) =>
          name === 'job publish-event' && links.some((link) => registering.includes(link.traceId)),
      ),
    )
    for (const secret of [tenant.key, EMAIL, address, id]) expect(texts.join('\n')).not.toContain(secret)
  })

  it('have a request too whose client is gone before the answer', async () => {
    const traceId = randomBytes(16).toString('hex')
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    const head = [
      `POST ${REGISTER} HTTP/1.1`,
      'host: localhost',
      `x-api-key: ${tenant.key}`,
      'content-type: application/json',
      'content-length: 100',
      `traceparent: 00-${traceId}-${'b7'.repeat(8)}-01`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{`, () => socket.destroy())
    // What it has asked of the database may be told before it.
    const isRequest = ({ traceId: of, name }: Span): boolean => of === traceId && name === `POST ${REGISTER}`
    const span = await until('its span is told', () => spans.find(isRequest))
    expect(attributesOf(span)).toMatchObject({
      'payments.code': 'connection_closed',
      'payments.request_id': expect.any(String) as string,
    })
  })

  it('cost nothing but themselves where the collector is away', async () => {
    await collector.close()
    await post(REGISTER, registerBody(tenant))
    expect(await gateway.stop()).toMatchObject({ code: 0 })
  })
})

function attributesOf(span: Span | undefined): Record<string, unknown> {
  const ofValue = (value: Record<string, unknown>) => value['stringValue'] ?? value['intValue'] ?? value['arrayValue']
  return Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, ofValue(value)]))
}

function ancestorsOf(span: Span | undefined): string[] {
  const parent = spans.find(({ spanId }) => spanId === span?.parentSpanId)
  return parent ? [parent.spanId, ...ancestorsOf(parent)] : []
}
