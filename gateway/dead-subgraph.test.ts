import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../kernel/clock.js'
import type { SubgraphExecutor } from '../kernel/subgraph.js'
import { startSupergraphHarness, type SupergraphHarness } from '../test/harness/supergraph.js'
import { prepareOperation } from './operation.js'
import { remoteReadiness } from './remote-readiness.js'
import { remoteExecutor, type RemoteOptions } from './subgraph-client.js'
import { loadSupergraph, type SupergraphExecutor } from './supergraph.js'

let world: SupergraphHarness
beforeAll(async () => {
  world = await startSupergraphHarness()
})
afterAll(() => world[Symbol.asyncDispose]())

const SECRET = 'sk_live_quoted_by_a_page'
const PAGE = `<html>${SECRET}</html>`
const HALF = `{"data":{"orders":{"totalCount":"${SECRET}`

/** What may stand where a subgraph should be, each with the code that a caller gets. */
const FAULTS: Record<string, { listener?: RequestListener; code: string; deadlineMs?: number }> = {
  'is dead': { code: 'PROVIDER_UNAVAILABLE' },
  'answers HTML': {
    listener: (_request, response) => response.setHeader('content-type', 'text/html').end(PAGE),
    code: 'PROVIDER_UNAVAILABLE',
  },
  'answers HTML that is announced as JSON': {
    listener: (_request, response) => response.setHeader('content-type', 'application/json').end(PAGE),
    code: 'PROVIDER_UNAVAILABLE',
  },
  'answers 502': {
    listener: (_request, response) =>
      response.writeHead(502, { 'content-type': 'application/json' }).end('{"data":{}}'),
    code: 'PROVIDER_UNAVAILABLE',
  },
  'answers JSON of another kind': {
    listener: (_request, response) => response.setHeader('content-type', 'application/json').end('{"ok":true}'),
    code: 'PROVIDER_UNAVAILABLE',
  },
  'is cut in its answer': {
    listener: (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' }).write(HALF, () => {
        response.destroy()
      })
    },
    code: 'PROVIDER_UNAVAILABLE',
  },
  'never answers': { listener: () => undefined, code: 'PROVIDER_TIMEOUT', deadlineMs: 200 },
  'answers more than anybody may ask for': {
    listener: (_request, response) =>
      response.setHeader('content-type', 'application/json').end(`{"data":"${'x'.repeat(10_000_001)}"}`),
    code: 'ANSWER_TOO_LARGE',
  },
}

interface Broken extends AsyncDisposable {
  supergraph: SupergraphExecutor
  isReady: () => Promise<boolean>
  log: () => string
}

/** The supergraph over the real subgraphs, but for the orders, which are at an address where something else is. */
async function withOrdersAt(listener: RequestListener | undefined, deadlineMs = 20_000): Promise<Broken> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  if (!listener) await close()
  let lines = ''
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines += chunk.toString()
      done()
    },
  })
  const log = pino({}, sink)
  const options: RemoteOptions = {
    name: 'orders',
    url: `http://127.0.0.1:${port}/orders/graphql`,
    signingKey: Buffer.alloc(32),
    clock: systemClock,
    log,
    deadlines: { queryMs: deadlineMs, mutationMs: deadlineMs },
  }
  const orders: SubgraphExecutor = remoteExecutor(options)
  const supergraph = await loadSupergraph({ ...world.executors, orders }, log)
  return {
    supergraph,
    isReady: remoteReadiness([options]),
    log: () => lines,
    [Symbol.asyncDispose]: async () => {
      await supergraph.stop()
      if (listener) await close()
    },
  }
}

const ask = (on: SupergraphExecutor, way: 'execute' | 'executeByGateway', source: string) =>
  on[way](prepareOperation(source), {}, { ...world.context, requestId: 'request-7' })

describe.each(Object.entries(FAULTS))('a subgraph that %s', (_about, { listener, code, deadlineMs }) => {
  it('takes its own fields only, on the fast path and the planned one alike', async () => {
    await using broken = await withOrdersAt(listener, deadlineMs)
    const beside = await ask(broken.supergraph, 'execute', '{ products { pix } orders(first: 1) { totalCount } }')
    expect(beside.data).toEqual({ products: { pix: true }, orders: null })
    expect(beside.errors?.map(({ extensions }) => extensions)).toEqual([{ code }])
    for (const source of [
      '{ one: order(id: "x") { id } two: __typename }',
      'mutation { toggleOrder(id: "x") { id } }',
      '{ orders(first: 1) @skip(if: true) { totalCount } order(id: "x") { id } }',
    ]) {
      const alone = await ask(broken.supergraph, 'execute', source)
      const planned = await ask(broken.supergraph, 'executeByGateway', source)
      expect(alone.errors?.map(({ extensions }) => extensions)).toEqual([{ code }])
      expect(JSON.stringify(alone)).toBe(JSON.stringify(planned))
    }
  })

  it('is named in the log with the request and its own error, and nothing that it said', async () => {
    await using broken = await withOrdersAt(listener, deadlineMs)
    const answers = [
      await ask(broken.supergraph, 'execute', '{ order(id: "x") { id } }'),
      await ask(broken.supergraph, 'execute', '{ products { pix } order(id: "x") { id } }'),
    ]
    if (code !== 'ANSWER_TOO_LARGE') {
      const lines = broken.log().trim().split('\n')
      expect(lines).toHaveLength(2)
      for (const line of lines) {
        expect(JSON.parse(line)).toMatchObject({
          subgraph: 'orders',
          requestId: 'request-7',
          err: { stack: expect.any(String) as string },
        })
      }
    }
    expect(broken.log() + JSON.stringify(answers)).not.toContain(SECRET)
    expect(JSON.stringify(answers)).not.toContain('orders/graphql')
  })

  it('makes its gateway not ready', async () => {
    await using broken = await withOrdersAt(listener, deadlineMs)
    expect(await broken.isReady()).toBe(false)
  })
})

describe('what the gateway itself stumbles over', () => {
  it('is a server error with the request id beside the data of the others, and in the log', async () => {
    const made = async (source: string, input: object): Promise<string> => {
      const { data } = await world.supergraph.execute(prepareOperation(source), { input }, world.context)
      return (data as { made: { id: string } }).made.id
    }
    const order = await made('mutation ($input: CreateOrderInput!) { made: createOrder(input: $input) { id } }', ORDER)
    await made(
      'mutation ($input: RegisterCheckoutPaymentInput!) { made: registerCheckoutPayment(input: $input) { id } }',
      { orderCode: order },
    )
    await using broken = await withOrdersAt((_request, response) =>
      response.setHeader('content-type', 'application/json').end('{"data":{"_entities":"none"}}'),
    )
    const source = '{ products { pix } payments(first: 1) { edges { node { order { active } } } } }'
    const { data, errors } = await ask(broken.supergraph, 'execute', source)
    expect(data).toEqual({ products: { pix: true }, payments: { edges: [{ node: { order: null } }] } })
    const message = 'Something went wrong on our side (request request-7).'
    expect(errors?.map((error) => error.toJSON())).toEqual([{ message, extensions: { code: 'SERVER_ERROR' } }])
    expect(JSON.parse(broken.log())).toMatchObject({
      requestId: 'request-7',
      err: { message: expect.stringContaining('_entities') as string },
    })
  })
})

const ORDER = {
  executorId: 'api_transaction',
  fromCurrencySymbol: 'BRL',
  amountFrom: '100',
  toCurrencySymbol: 'USDT',
  toChain: 'polygon',
  onRamp: false,
  gatewayMethod: 'DIRECT',
  paymentMethodAllowed: { crypto: true },
  orderItems: [{ name: 'Coffee', quantity: 2 }],
  splitPaymentConfig: [{ receiverWallet: '0x1111111111111111111111111111111111111111', receiverPercent: 100 }],
  tenantData: { publicClientId: `pk_${'0'.repeat(32)}`, webhookUrl: 'http://127.0.0.1:9/hook' },
}
