import type { RequestListener } from 'node:http'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../kernel/clock.js'
import type { SubgraphExecutor } from '../kernel/subgraph.js'
import { CREATE_ORDER, ORDER_INPUT, REGISTER_FROM_ORDER, startSupergraphHarness } from '../test/harness/supergraph.js'
import { prepareOperation } from './operation.js'
import { remoteReadiness } from './remote-readiness.js'
import { remoteExecutor, type RemoteOptions } from './subgraph-client.js'
import { loadSupergraph, type SupergraphExecutor } from './supergraph.js'
import { ending } from '../test/harness/at-end.js'
import { deadUrl, serve } from '../test/harness/serve.js'

const harness = await startSupergraphHarness()

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

interface Broken {
  supergraph: SupergraphExecutor
  isReady: () => Promise<boolean>
  log: () => string
}

/** The supergraph over the real subgraphs, but for the orders, which are at an address where something else is. */
async function withOrdersAt(listener: RequestListener | undefined, deadlineMs = 20_000): Promise<Broken> {
  const url = listener ? (await serve(listener)).url : await deadUrl()
  let lines = ''
  const log = pino({}, { write: (line: string) => void (lines += line) })
  const options: RemoteOptions = {
    name: 'orders',
    url: `${url}/orders/graphql`,
    signingKey: Buffer.alloc(32),
    clock: systemClock,
    log,
    deadlines: { queryMs: deadlineMs, mutationMs: deadlineMs },
  }
  const orders: SubgraphExecutor = remoteExecutor(options)
  const supergraph = ending(loadSupergraph({ ...harness.executors, orders }, log))
  return { supergraph, isReady: remoteReadiness([options]), log: () => lines }
}

const ask = (
  on: SupergraphExecutor,
  way: 'execute' | 'executeByGateway',
  source: string,
  variables: Record<string, unknown> = {},
) => on[way](prepareOperation(source), variables, { ...harness.context, requestId: 'request-7' })

describe.each(Object.entries(FAULTS))('a subgraph that %s', (_about, { listener, code, deadlineMs }) => {
  it('takes its own fields only, on the fast path and the planned one alike', async () => {
    const broken = await withOrdersAt(listener, deadlineMs)
    const beside = await ask(broken.supergraph, 'execute', '{ products { pix } orders(first: 1) { totalCount } }')
    expect(beside.data).toEqual({ products: { pix: true }, orders: null })
    expect(beside.errors?.map(({ extensions }) => extensions)).toEqual([{ code }])
    for (const source of [
      '{ one: order(id: "x") { id } two: __typename }',
      'mutation { deactivateOrder(id: "x") { order { id } errors { code path } } }',
      '{ orders(first: 1) @skip(if: true) { totalCount } order(id: "x") { id } }',
    ]) {
      const alone = await ask(broken.supergraph, 'execute', source)
      const planned = await ask(broken.supergraph, 'executeByGateway', source)
      expect(alone.errors?.map(({ extensions }) => extensions)).toEqual([{ code }])
      expect(JSON.stringify(alone)).toBe(JSON.stringify(planned))
    }
  })

  it('is not blamed for variables that do not fit, on the fast path and the planned one alike', async () => {
    const broken = await withOrdersAt(listener, deadlineMs)
    const source = 'mutation ($input: UpdateOrderInput!) { updateOrder(id: "x", input: $input) { order { id } } }'
    const variables = { input: { amountFrom: '-1' } }
    const alone = await ask(broken.supergraph, 'execute', source, variables)
    const planned = await ask(broken.supergraph, 'executeByGateway', source, variables)
    expect(alone.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    expect([alone.data, JSON.stringify(alone)]).toEqual([undefined, JSON.stringify(planned)])
  })

  it('is named in the log with the request and its own error, and nothing that it said', async () => {
    const broken = await withOrdersAt(listener, deadlineMs)
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
    const broken = await withOrdersAt(listener, deadlineMs)
    expect(await broken.isReady()).toBe(false)
  })
})

describe('what the gateway itself stumbles over', () => {
  it('is a server error with the request id beside the data of the others, and in the log', async () => {
    await harness.make(REGISTER_FROM_ORDER, { orderCode: await harness.make(CREATE_ORDER, ORDER_INPUT) })
    const broken = await withOrdersAt((_request, response) =>
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
