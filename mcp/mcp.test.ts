import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../kernel/root.js'
import { operationIdOf } from '../rest-compat/openapi.js'
import { ROUTES } from '../rest-compat/routes.js'
import { ending } from '../test/harness/at-end.js'
import { send } from '../test/harness/http.js'
import { machineEnv } from '../test/harness/env.js'
import { startHarness } from '../test/harness/harness.js'
import { orderBody, registerBody, transactionBody } from '../test/harness/rest-payments.js'
import { AMOUNTS, isAbove } from './amount.js'
import { CONFIRMATION_TOKEN } from './tool.js'

const harness = await startHarness({ MCP_CONFIRM_ABOVE: '500' })
const { tenant } = harness

/** The protocol's own client, over HTTP. */
async function connect({ query = '', key = tenant.key } = {}): Promise<Client> {
  const url = new URL(`${harness.url}/mcp${query}`)
  return opened(new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-api-key': key } } }) as Transport)
}

async function opened(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return ending(client)
}

interface Called {
  isError?: boolean
  structuredContent?: { status: string; data: Record<string, unknown> }
  text: string
}

/** Calls a tool. Where the client has listed the tools, it checks what comes back against the output schema. */
async function call(client: Client, name: string, args: object): Promise<Called> {
  const result = await client.callTool({ name, arguments: { ...args } })
  const [content] = result.content as [{ text: string }]
  return { ...(result as unknown as Called), text: content.text }
}

const client = await connect()
const { tools } = await client.listTools()
const payments = async () => Number((await harness.sql('select count(*) from payments.payment'))[0]?.['count'])

describe('the tools', () => {
  it('are the operations of REST, each with schemas and what it does to the world', () => {
    expect(tools.map(({ name }) => name)).toEqual(ROUTES.map(operationIdOf))
    for (const tool of tools) {
      const method = ROUTES.find((route) => operationIdOf(route) === tool.name)?.method
      expect(tool.annotations?.readOnlyHint).toBe(method === 'GET')
      expect([tool.description, tool.inputSchema.type, tool.outputSchema?.type]).toEqual([
        expect.any(String),
        'object',
        'object',
      ])
      expect(JSON.stringify(tool)).not.toContain('#/components')
    }
    const create = tools.find(({ name }) => name === 'createTransaction')
    expect(create?.inputSchema.required).toEqual(expect.arrayContaining(['payment_id', 'transaction_type']))
  })

  it('have a rule for the amount wherever an amount is among the arguments of a tool that changes something', () => {
    const moving = tools.filter(({ annotations, inputSchema }) => {
      const names = Object.keys(inputSchema.properties ?? {})
      return annotations?.readOnlyHint === false && names.some((name) => name === 'amount' || name === 'amount_from')
    })
    expect(moving.length).toBeGreaterThan(5)
    for (const { name } of moving) expect(AMOUNTS).toHaveProperty(name)
    for (const name of Object.keys(AMOUNTS)) expect(tools.map((tool) => tool.name)).toContain(name)
  })

  it('do what REST does, with an answer of their output schema', async () => {
    const registered = await call(client, 'registerPayment', registerBody(tenant))
    expect(registered.structuredContent?.status).toBe('payment_registered')
    const id = String(registered.structuredContent?.data['payment_id'])
    const payer = await harness.chain.newPayer()
    await call(client, 'createTransaction', transactionBody(id, payer.address))
    const status = await call(client, 'paymentStatus', { id })
    expect(status.structuredContent?.data).toMatchObject({ id, status: 'pending' })
    expect(JSON.parse(status.text)).toEqual(status.structuredContent)
    const listed = await call(client, 'listPayments', { limit: 1, status: 'pending' })
    expect(listed.structuredContent?.data['payments']).toHaveLength(1)
    const order = await tenant.createOrder()
    expect(
      (await call(client, 'updateOrder', { order_id: order, amount_from: '8' })).structuredContent?.data,
    ).toMatchObject({ amount_from: '8' })
    expect((await call(client, 'deleteOrder', { order_id: order })).structuredContent?.status).toBe('order_deleted')
  })

  it('do nothing twice under one idempotency key', async () => {
    const before = await payments()
    const args = { ...registerBody(tenant), idempotency_key: 'an agent that tries again' }
    const first = await call(client, 'registerPayment', args)
    expect((await call(client, 'registerPayment', args)).structuredContent).toEqual(first.structuredContent)
    expect(await payments()).toBe(before + 1)
  })

  it('say what was wrong, in which field, and what to do next', async () => {
    const bad = await call(client, 'registerPayment', registerBody(tenant, { on_ramp: 'no' }))
    expect(bad.isError).toBe(true)
    expect(bad.text).toContain('validation_error')
    expect(bad.text).toContain('- on_ramp: must be true or false')
    const missing = await call(client, 'getOrder', { order_id: 'c000000000000000000000000' })
    expect(missing).toMatchObject({ isError: true, text: expect.stringContaining('listOrders gives the ids') })
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow('There is no tool nothing')
  })
})

describe('arguments that cannot be', () => {
  it('are named: what the path needs, and what was sent in its place', async () => {
    const { text } = await call(client, 'paymentStatus', { payment_id: 'c000000000000000000000000' })
    expect(text).toContain('validation_error')
    expect(text).toContain('- id: is required')
    expect(text).toContain('- payment_id: is no argument of this tool')
    const card = '4000000000000010'
    expect((await call(client, 'paymentStatus', { [card]: 'x' })).text).not.toContain(card)
  })

  it('are refused before a person is asked to confirm them', async () => {
    const id = 'c000000000000000000000000'
    const number = await call(client, 'refundPayment', { id, amount: 5 })
    expect(number.text).toContain('- amount: must be a decimal string')
    const unknown = await call(client, 'refundPayment', { id, amount: '501' })
    expect(unknown.text).toContain('payment_not_found')
    const known = await tenant.register()
    expect((await call(client, 'refundPayment', { id: known, amount: '501' })).text).toContain('Nothing was done')
  })
})

describe('an amount above the limit', () => {
  it('is moved only with a confirmation, which is for one call with these arguments', async () => {
    const before = await payments()
    const args = registerBody(tenant, { amount_from: '501' })
    const asked = await call(client, 'registerPayment', args)
    expect(asked).toMatchObject({ isError: true, text: expect.stringContaining('the amount is above 500') })
    expect(await payments()).toBe(before)
    const token = /"(\d+\.[\w-]+)"/.exec(asked.text)?.[1]
    const other = await call(client, 'registerPayment', { ...args, amount_from: '502', [CONFIRMATION_TOKEN]: token })
    expect(other).toMatchObject({ isError: true, text: expect.stringContaining('not one of this call') })
    const stranger = await harness.dashboard.newTenant()
    const theirs = await connect({ key: stranger.key })
    expect((await call(theirs, 'registerPayment', { ...args, [CONFIRMATION_TOKEN]: token })).isError).toBe(true)
    expect(await payments()).toBe(before)
    const done = await call(client, 'registerPayment', { ...args, [CONFIRMATION_TOKEN]: token })
    expect(done.structuredContent?.status).toBe('payment_registered')
    const again = await call(client, 'registerPayment', { ...args, [CONFIRMATION_TOKEN]: token })
    expect(again.structuredContent).toEqual(done.structuredContent)
    expect(await payments()).toBe(before + 1)
  })

  it('is looked up where the arguments only name it', async () => {
    const payer = await harness.chain.newPayer()
    const id = await tenant.register({ amount_from: '600' })
    const asked = await call(client, 'createTransaction', transactionBody(id, payer.address))
    expect(asked.text).toContain('Nothing was done')
    const order = await tenant.createOrder({ amount_from: '600' })
    const fromOrder = await call(client, 'registerPayment', { order_code: order })
    expect(fromOrder.text).toContain('Nothing was done')
    // Neither another name of the argument nor an amount that the order overrules hides the order's.
    for (const disguised of [
      { order_id: order },
      { order_code: order, amount_from: '1' },
      { order_id: order, amount_from: '1' },
    ]) {
      expect((await call(client, 'registerPayment', disguised)).text).toContain('Nothing was done')
    }
    const whole = await call(client, 'refundPayment', { id })
    expect(whole.text).toContain('Nothing was done')
    const unknown = await call(client, 'refundPayment', { id: 'c000000000000000000000000' })
    expect(unknown.text).toContain('payment_not_found')
  })

  it('needs a new confirmation after ten minutes', async () => {
    const args = orderBody({ amount_from: '1000' })
    const token = /"(\d+\.[\w-]+)"/.exec((await call(client, 'createOrder', args)).text)?.[1]
    harness.clock.advance(601_000)
    expect((await call(client, 'createOrder', { ...args, [CONFIRMATION_TOKEN]: token })).isError).toBe(true)
  })

  it.each([
    ['500', false],
    ['500.000', false],
    ['500.000000000000000001', true],
    ['00501', true],
    ['1e9', true],
    [600, true],
    ['', true],
  ])('is told from one below it: %s', (amount, above) => {
    expect(isAbove(amount, '500')).toBe(above)
  })
})

describe('reading only', () => {
  it('leaves out what changes something, and refuses it', async () => {
    const reader = await connect({ query: '?read_only=true' })
    const { tools: left } = await reader.listTools()
    expect(left.map(({ name }) => name)).toEqual(ROUTES.filter(({ method }) => method === 'GET').map(operationIdOf))
    await expect(reader.callTool({ name: 'createOrder', arguments: orderBody() })).rejects.toThrow(
      'only reading is allowed',
    )
    expect((await call(reader, 'configProducts', {})).structuredContent?.status).toBe('products_retrieved')
  })
})

describe('the door', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    send({
      method: 'POST',
      url: `${harness.url}/mcp`,
      headers: { 'content-type': 'application/json', 'x-api-key': tenant.key, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  it('lets in who has a key and speaks the protocol', async () => {
    expect((await post(ping)).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
    const initialize = { ...ping, method: 'initialize', params: { protocolVersion: '2025-03-26' } }
    expect((await post(initialize)).body['result']).toMatchObject({ protocolVersion: '2025-03-26' })
  })

  it.each([
    ['no good key', ping, { 'x-api-key': 'sk_test_unknown' }, 401, -32_600],
    ['a page of another site', ping, { origin: 'https://evil.example' }, 403, -32_600],
    ['an unknown version', ping, { 'mcp-protocol-version': '1999-01-01' }, 400, -32_600],
    ['no JSON', '{', {}, 400, -32_700],
    ['a number that no answer could name', '{"jsonrpc":"2.0","id":1e999,"method":"ping"}', {}, 200, -32_600],
    ['too large', `"${'x'.repeat(300_000)}"`, {}, 413, -32_600],
    ['no media type of JSON', '{}', { 'content-type': 'text/plain' }, 415, -32_600],
    ['another charset', { ...ping, id: 'ç' }, { 'content-type': 'application/json; charset=latin1' }, 415, -32_600],
    ['no JSON-RPC', { hello: 1 }, {}, 200, -32_600],
    ['several messages at once', [ping], {}, 200, -32_600],
    ['an unknown method', { ...ping, method: 'resources/list' }, {}, 200, -32_601],
    [
      'arguments that are none',
      { ...ping, method: 'tools/call', params: { name: 'configProducts', arguments: 1 } },
      {},
      200,
      -32_602,
    ],
  ] as const)('refuses %s', async (_what, body, headers, http, code) => {
    const answer = await post(body, headers)
    expect([answer.status, answer.body['error']]).toEqual([http, { code, message: expect.any(String) }])
  })

  it('has no stream and no session', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await send({ method, url: `${harness.url}/mcp`, headers: { 'x-api-key': tenant.key } })
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST'])
    }
  })

  it('keeps tenants apart, and asks for products as REST does', async () => {
    const id = await tenant.register()
    const poor = await connect({ key: (await harness.dashboard.newTenant({ products: ['crypto'] })).key })
    expect((await call(poor, 'paymentStatus', { id })).text).toContain('payment_not_found')
    expect((await call(poor, 'kycStatus', { email: 'ana@example.com' })).text).toContain('product_disabled')
    const platform = await connect({ key: await harness.dashboard.platformKey() })
    expect((await call(platform, 'listOrders', {})).text).toContain('customer_not_logged')
  })
})

describe('npm run mcp', () => {
  it('carries the protocol over standard input and output', async () => {
    const overPipe = await opened(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(projectRoot, 'dist/mcp/stdio.js')],
        env: {
          ...(machineEnv as Record<string, string>),
          PAYMENTS_URL: harness.url,
          PAYMENTS_API_KEY: tenant.key,
          MCP_READ_ONLY: 'on',
        },
      }),
    )
    expect((await overPipe.listTools()).tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    expect((await call(overPipe, 'configProducts', {})).structuredContent?.status).toBe('products_retrieved')
  })

  it('answers with an error where the key is not good, or the service does not answer', async () => {
    for (const [url, words] of [
      [harness.url, 'Invalid or missing API key'],
      ['http://127.0.0.1:9', 'does not answer'],
    ] as const) {
      const env = { ...(machineEnv as Record<string, string>), PAYMENTS_URL: url, PAYMENTS_API_KEY: 'sk_test_unknown' }
      const args = [join(projectRoot, 'dist/mcp/stdio.js')]
      await expect(opened(new StdioClientTransport({ command: process.execPath, args, env }))).rejects.toThrow(words)
    }
  })
})
