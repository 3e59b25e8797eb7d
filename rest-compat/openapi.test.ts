import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ERRORS, isErrorCode } from '../kernel/errors.js'
import { projectRoot } from '../kernel/root.js'
import type { Answer } from '../test/harness/http.js'
import {
  CREATE_TRANSACTION,
  EXECUTE,
  orderBody,
  REGISTER,
  registerBody,
  transactionBody,
} from '../test/harness/rest-payments.js'
import { ownFolder } from '../test/harness/at-end.js'
import { machineEnv } from '../test/harness/env.js'
import { startHarness } from '../test/harness/harness.js'
import { nodesOf, schemaCompiler } from '../test/harness/openapi-schemas.js'
import { until } from '../test/harness/until.js'
import { EVENT_TYPES } from '../subgraphs/accounts/webhooks/event-types.js'
import { ERROR_ADVICE } from './error-advice.js'
import type { JsonSchema } from './json-schema.js'
import { openApiPath, type OpenApiDocument, type OpenApiOperation } from './openapi.js'
import { EVENTS_ROUTE } from './payment-events.js'
import { errorsOf } from './route.js'
import { ROUTES } from './routes.js'

const UNKNOWN = 'c000000000000000000000000'

const run = promisify(execFile)
const REDOCLY = join(projectRoot, 'node_modules/.bin/redocly')

const harness = await startHarness()
const document = (await harness.rest('GET', '/openapi.json')).body as unknown as OpenApiDocument
const compile = schemaCompiler(document)

const operationOf = (method: string, path: string): OpenApiOperation => {
  const operation = document.paths[openApiPath(path)]?.[method.toLowerCase()]
  if (!operation) throw new Error(`${method} ${path} is not documented`)
  return operation
}

/** Fails where an answer is not, to the field, what the document says of it. */
function expectDocumented(method: string, path: string, answer: Answer, http: number, status?: string): void {
  expect([answer.status, answer.body.status]).toEqual([http, status])
  const documented = operationOf(method, path).responses[String(http)]
  if (!documented) throw new Error(`${method} ${path} does not document ${http}`)
  const validate = compile(documented.content['application/json'].schema, true)
  validate(answer.body)
  expect(validate.errors ?? []).toEqual([])
  const headers = Object.keys(documented.headers ?? {}).filter((name) => name === 'x-request-id')
  for (const name of headers) expect(answer.headers[name]).toBeTypeOf('string')
}

function bodySchema(method: string, path: string): JsonSchema {
  return operationOf(method, path).requestBody?.content['application/json'].schema ?? {}
}

describe('the advice of params_mismatch', () => {
  it('names all query parameters of the routes that answer it', () => {
    const routes = ROUTES.filter((route) => errorsOf(route).includes('params_mismatch'))
    expect(routes).toHaveLength(2)
    for (const { method, path } of routes) {
      const { parameters } = operationOf(method, path)
      const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => `\`${name}\``)
      expect(names.length).toBeGreaterThan(3)
      for (const name of names) expect(ERROR_ADVICE.params_mismatch).toContain(name)
    }
  })
})

describe('the OpenAPI document', () => {
  it('is there without a key, as JSON of OpenAPI 3.1', async () => {
    const answer = await harness.rest('GET', '/openapi.json')
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.components.securitySchemes).toMatchObject({ apiKey: { in: 'header', name: 'x-api-key' } })
  })

  it('has every route of the table and no other', () => {
    const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const routes = [...ROUTES, EVENTS_ROUTE].map(({ method, path }) => `${method} ${openApiPath(path)}`)
    expect(documented.toSorted()).toEqual(routes.toSorted())
  })

  it('refers only to what it defines, and defines only what it refers to', () => {
    const references = [...nodesOf(document)].map((node) => node['$ref']).filter((ref) => typeof ref === 'string')
    const defined = (['schemas', 'headers'] as const).flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    )
    expect([...new Set(references)].toSorted()).toEqual(defined.toSorted())
  })

  it('names each operation once, and declares every part of its path', () => {
    const ids = ROUTES.map(({ method, path }) => operationOf(method, path).operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { method, path } of ROUTES) {
      const inPath = operationOf(method, path).parameters.filter((parameter) => parameter.in === 'path')
      const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      expect(inPath.map(({ name, required }) => [name, required])).toEqual(named.map((name) => [name, true]))
    }
  })

  it('takes an Idempotency-Key where something is changed, and nowhere else', () => {
    for (const { method, path } of ROUTES) {
      const headers = operationOf(method, path).parameters.filter((parameter) => parameter.in === 'header')
      expect([path, headers.map(({ name }) => name)]).toEqual([path, method === 'GET' ? [] : ['Idempotency-Key']])
    }
  })

  it('tells every error of a route by its code and HTTP status', () => {
    for (const route of [...ROUTES, EVENTS_ROUTE]) {
      const { responses } = operationOf(route.method, route.path)
      const told = Object.entries(responses).flatMap(([http, { content }]) =>
        [...nodesOf(content)]
          .flatMap((node) => (node['status'] as JsonSchema | undefined)?.enum ?? [])
          .filter(isErrorCode)
          .map((code) => [code, Number(http)]),
      )
      const listed = errorsOf(route).filter((code) => code !== 'method_not_allowed')
      expect(told.toSorted()).toEqual(listed.map((code) => [code, ERRORS[code].http]).toSorted())
    }
  })

  it('gives the linter that integrators run nothing to warn of', async () => {
    const file = join(await ownFolder(), 'openapi.json')
    await writeFile(file, JSON.stringify(document))
    // `/order/list/{order_id}` and `/order/{order_id}/toggle` are the contract's.
    const options = ['--skip-rule', 'no-ambiguous-paths', '--format', 'json']
    const { stdout } = await run(process.execPath, [REDOCLY, 'lint', file, ...options], {
      env: { ...machineEnv, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
    expect((JSON.parse(stdout) as { problems: unknown[] }).problems).toEqual([])
  })

  it('has schemas that a strict validator takes', async () => {
    for (const schema of Object.values(document.components.schemas)) {
      expect(compile(schema, false)).toBeTypeOf('function')
      // All at once take seconds, in which no connection could be seen to have ended.
      await setImmediate()
    }
  })
})

describe('a live answer is what the document says', () => {
  it('for a payment on its whole way', async () => {
    const { tenant, chain } = harness
    const payer = await chain.newPayer()
    const as = tenant
    const body = registerBody(tenant, { metadata: { cart: 1 } })
    expect(compile(bodySchema('POST', REGISTER), false)(body)).toBe(true)
    const registered = await harness.rest('POST', REGISTER, { as, body })
    expectDocumented('POST', REGISTER, registered, 201, 'payment_registered')
    const id = String(registered.body.data?.['payment_id'])
    const status = () => harness.rest('GET', `/payment/${id}/status`, { as })
    expectDocumented('GET', '/payment/:id/status', await status(), 200, 'payment_found')
    const transaction = transactionBody(id, payer.address)
    expect(compile(bodySchema('POST', CREATE_TRANSACTION), false)(transaction)).toBe(true)
    const created = await harness.rest('POST', CREATE_TRANSACTION, { as, body: transaction })
    expectDocumented('POST', CREATE_TRANSACTION, created, 201, 'payment_registered')
    expectDocumented('GET', '/payment/:id/status', await status(), 200, 'payment_found')
    const signed = await tenant.signedPayment(payer)
    expectDocumented('POST', EXECUTE, await tenant.execute(signed), 200, 'payment_confirmed')
    const paid = await harness.rest('GET', `/payment/${signed.id}/status`, { as })
    expectDocumented('GET', '/payment/:id/status', paid, 200, 'payment_found')
  })

  it('for an order and a payment from it', async () => {
    const { tenant: as } = harness
    const body = orderBody({
      order_items: [{ name: 'Tea', quantity: 2 }],
      gateway_method: 'subs',
      subscription_payment_config: { plan_name: 'Monthly', interval: 'monthly' },
    })
    expect(compile(bodySchema('POST', '/order/create'), false)(body)).toBe(true)
    const created = await harness.rest('POST', '/order/create', { as, body })
    expectDocumented('POST', '/order/create', created, 200, 'order_created')
    const id = String(created.body.data?.['order_id'])
    const listed = await harness.rest('GET', '/order/list?limit=1', { as })
    expectDocumented('GET', '/order/list', listed, 200, 'orders_listed')
    const found = await harness.rest('GET', `/order/list/${id}`, { as })
    expectDocumented('GET', '/order/list/:order_id', found, 200, 'order_found')
    const patch = { order_items: [{ quantity: 3 }] }
    expect(compile(bodySchema('PATCH', '/order/:order_id'), false)(patch)).toBe(true)
    const updated = await harness.rest('PATCH', `/order/${id}`, { as, body: patch })
    expectDocumented('PATCH', '/order/:order_id', updated, 200, 'order_updated')
    const checkout = await harness.rest('POST', REGISTER, { as, body: { order_code: id } })
    expectDocumented('POST', REGISTER, checkout, 201, 'payment_registered')
    const off = await harness.rest('PATCH', `/order/${id}/toggle`, { as })
    expectDocumented('PATCH', '/order/:order_id/toggle', off, 200, 'order_deactivated')
    const inactive = await harness.rest('POST', REGISTER, { as, body: { order_code: id } })
    expectDocumented('POST', REGISTER, inactive, 409, 'order_inactive')
    const on = await harness.rest('POST', `/order/${id}/toggle`, { as })
    expectDocumented('POST', '/order/:order_id/toggle', on, 200, 'order_activated')
  })

  it('for prices and products', async () => {
    const { tenant: as } = harness
    for (const query of ['pair=ETHUSDT', 'from=ETH&to=BRL']) {
      const quote = await harness.rest('GET', `/quote/market?${query}`, { as })
      expectDocumented('GET', '/quote/market', quote, 200, 'quote_ok')
    }
    const products = await harness.rest('GET', '/config/products', { as })
    expectDocumented('GET', '/config/products', products, 200, 'products_retrieved')
  })

  it('for failures of every form', async () => {
    const { tenant: as } = harness
    const bad = registerBody(as, { on_ramp: 'no', split_payment_config: [{ receiver_percent: 100 }] })
    expect(compile(bodySchema('POST', REGISTER), false)(bad)).toBe(false)
    const refused = await harness.rest('POST', REGISTER, { as, body: bad })
    expectDocumented('POST', REGISTER, refused, 400, 'validation_error')
    expectDocumented('POST', REGISTER, await harness.rest('POST', REGISTER, { body: bad }), 401, 'unauthorized')
    const wrongHeader = await harness.rest('POST', REGISTER, { headers: { 'X-API-Key': as.key }, body: bad })
    expectDocumented('POST', REGISTER, wrongHeader, 403)
    const limited = await harness.dashboard.newTenant({ products: ['pix'] })
    const disabled = await harness.rest('POST', REGISTER, { as: limited, body: registerBody(limited) })
    expectDocumented('POST', REGISTER, disabled, 403, 'product_disabled')
    const nobody = await harness.rest('GET', `/order/list/${UNKNOWN}`, { as })
    expectDocumented('GET', '/order/list/:order_id', nobody, 404, 'order_not_found')
    expectDocumented('GET', '/quote/market', await harness.rest('GET', '/quote/market', { as }), 400, 'params_mismatch')
    const unsigned = await harness.rest('POST', EXECUTE, { as, body: { payment_id: await as.register() } })
    expectDocumented('POST', EXECUTE, unsigned, 400, 'invalid_parameters')
    const id = await as.createOrder()
    const empty = await harness.rest('PATCH', `/order/${id}`, { as, body: {} })
    expectDocumented('PATCH', '/order/:order_id', empty, 400, 'no_fields_to_update')
    const text = await harness.rest('POST', REGISTER, { as, body: 'x', headers: { 'content-type': 'text/plain' } })
    expectDocumented('POST', REGISTER, text, 415, 'unsupported_media_type')
  })
})

describe('the webhooks', () => {
  it('are those that there are', () => {
    expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPES)
  })

  it('are what the document says', async () => {
    const { tenant: as } = harness
    const order = await as.createOrder({ tenant_data: as.tenantData })
    await harness.rest('PATCH', `/order/${order}/toggle`, { as })
    const payer = await harness.chain.newPayer()
    const signed = await as.signedPayment(payer)
    await as.execute(signed)
    const wanted = ['order.created', 'order.updated', 'payment.registered', 'payment.pending', 'payment.success']
    const types = () => new Set([order, signed.id].flatMap((id) => harness.hooks.of(id)).map(({ type }) => type))
    await until('all are told', () => Promise.resolve(wanted.every((type) => types().has(type))))
    for (const { type, timestamp, sequence, data } of harness.hooks.received) {
      const schema = document.webhooks[type]?.post.requestBody.content['application/json'].schema ?? {}
      const validate = compile(schema, true)
      validate({ type, timestamp, sequence, data })
      expect([type, validate.errors ?? []]).toEqual([type, []])
    }
  })
})
