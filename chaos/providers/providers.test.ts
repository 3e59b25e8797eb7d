import fastify, { type FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../test/harness/until.js'
import { startCallbackProxy, type CallbackProxy } from './callback-proxy.js'
import { startProviderProxy, type ProviderProxy } from './provider-proxy.js'

interface Heard {
  gateway: string
  path: string
  authorization: string | undefined
  body: unknown
}

/** A server that writes down what it hears, and knows one password. */
async function startListener(gateway: string, heard: Heard[]): Promise<{ url: string; app: FastifyInstance }> {
  const app = fastify({ forceCloseConnections: true })
  app.post('/*', (request, reply) => {
    const { authorization } = request.headers
    heard.push({ gateway, path: request.url, authorization, body: request.body })
    return reply.code(authorization === 'Basic right' ? 200 : 404).send({ received: gateway })
  })
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), app }
}

function post(url: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: 'Basic right' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

let heard: Heard[]
let listeners: { url: string; app: FastifyInstance }[]

beforeEach(async () => {
  heard = []
  listeners = [await startListener('a', heard), await startListener('b', heard)]
  return () => Promise.all(listeners.map(({ app }) => app.close()))
})

describe('a proxy before a provider', () => {
  let proxy: ProviderProxy

  beforeEach(async () => {
    proxy = await startProviderProxy({ upstream: `${listeners[0]?.url}/v1` })
    return () => proxy.close()
  })

  test('changes nothing while nothing is wrong', async () => {
    const answer = await post(`${proxy.url}/charges?x=1`, { amount: 5 })
    expect([answer.status, await answer.json()]).toEqual([200, { received: 'a' }])
    expect(heard).toEqual([
      { gateway: 'a', path: '/v1/charges?x=1', authorization: 'Basic right', body: { amount: 5 } },
    ])
  })

  test.each([
    ['reset', 0, 'no answer'],
    ['limit', 0, 429],
    ['error', 0, 503],
    ['drop-answer', 1, 'no answer'],
    ['late-error', 1, 504],
    ['slow', 1, 200],
    ['trickle', 1, 200],
  ])('under %s the work is done %i times and the caller sees %s', async (kind, times, seen) => {
    const end = proxy.faults.begin({ kind, details: { ms: 5, everyMs: 1 } })
    const status = await post(`${proxy.url}/charges`, {}).then(
      async (answer) => answer.text().then(() => answer.status),
      () => 'no answer',
    )
    expect([heard.length, status]).toEqual([times, seen])
    await end()
    expect((await post(`${proxy.url}/charges`, {})).status).toBe(200)
  })

  test('lets go of what it holds back when the fault ends', async () => {
    const end = proxy.faults.begin({ kind: 'slow', details: { ms: 600_000 } })
    const answer = post(`${proxy.url}/charges`, {})
    await end()
    expect((await answer).status).toBe(200)
  })
})

describe('the address that providers call', () => {
  let proxy: CallbackProxy

  beforeEach(async () => {
    proxy = await startCallbackProxy({ gateways: () => listeners.map(({ url }) => url) })
    return () => proxy.close()
  })

  const callback = (body: number) => post(`${proxy.url}/callbacks/card/`, body)
  const bodies = () => heard.map(({ body }) => body)

  test('reaches the gateways in turn, and the other one where one is gone', async () => {
    for (const body of [1, 2]) expect((await callback(body)).status).toBe(200)
    expect(heard.map(({ gateway }) => gateway)).toEqual(['a', 'b'])
    await listeners[0]?.app.close()
    for (const body of [3, 4]) expect((await callback(body)).status).toBe(200)
    expect(heard.map(({ gateway }) => gateway)).toEqual(['a', 'b', 'b', 'b'])
  })

  test('delivers twice, to both gateways', async () => {
    proxy.faults.begin({ kind: 'twice', details: {} })
    expect((await callback(1)).status).toBe(200)
    await until('both have heard it', () => heard.length === 2)
    expect(new Set(heard.map(({ gateway }) => gateway))).toEqual(new Set(['a', 'b']))
  })

  test('delivers the second one first, and one that nothing follows when the fault ends', async () => {
    const end = proxy.faults.begin({ kind: 'reorder', details: {} })
    for (const body of [1, 2, 3]) expect((await callback(body)).status).toBe(200)
    await until('the first has come after the second', () => heard.length === 2)
    expect(bodies()).toEqual([2, 1])
    await end()
    await proxy.settled()
    expect(bodies()).toEqual([2, 1, 3])
  })

  test('delivers late, but when the fault ends at the latest', async () => {
    const end = proxy.faults.begin({ kind: 'late', details: { ms: 600_000 } })
    expect((await callback(1)).status).toBe(200)
    expect(heard).toEqual([])
    await end()
    await proxy.settled()
    expect(bodies()).toEqual([1])
  })

  test('sends a stranger’s copy first, which a gateway has to refuse', async () => {
    proxy.faults.begin({ kind: 'forge', details: {} })
    expect((await callback(1)).status).toBe(200)
    expect(heard.map(({ authorization }) => authorization === 'Basic right')).toEqual([false, true])
    expect(proxy.acceptedForgeries).toEqual([])
  })

  test('tells of a stranger’s copy that a gateway took', async () => {
    const open = fastify().post('/*', () => ({}))
    const careless = await startCallbackProxy({ gateways: () => [url] })
    const url = await open.listen({ host: '127.0.0.1', port: 0 })
    try {
      careless.faults.begin({ kind: 'forge', details: {} })
      await post(`${careless.url}/callbacks/pix/secret/pix`, {})
      expect(careless.acceptedForgeries).toEqual(['200 /callbacks/pix/secret/pix'])
    } finally {
      await careless.close()
      await open.close()
    }
  })

  test('tells nobody, and the provider that it was taken', async () => {
    proxy.faults.begin({ kind: 'drop', details: {} })
    expect((await callback(1)).status).toBe(200)
    expect(heard).toEqual([])
  })
})
