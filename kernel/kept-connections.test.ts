import type { IncomingMessage, RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { ending } from '../test/harness/at-end.js'
import { serve } from '../test/harness/serve.js'
import { until } from '../test/harness/until.js'
import { addressGuard, type GuardedRequest } from './address-guard.js'

const POST: GuardedRequest = {
  ...{ tenantId: null, method: 'POST', headers: {}, body: '{}' },
  ...{ timeoutMs: 5_000, maxResponseBytes: 65_536 },
}

/** A server on loopback under every name, and what sends requests to it. */
async function start(answer: RequestListener) {
  const requests: IncomingMessage[] = []
  const { url } = await serve((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  const guard = ending(addressGuard({ allowLoopback: true, allowHttp: true, resolve }))
  const send = (host: string, path = '/', request = POST) =>
    guard.request(`http://${host}:${new URL(url).port}${path}`, request)
  return { requests, guard, send }
}

describe('a request to a receiver', () => {
  it('waits for no other one, however many hang at the same host', async () => {
    const { requests, guard, send } = await start(({ url }, response) => {
      if (url === '/quick') response.end()
    })
    const hanging = Array.from({ length: 40 }, () => send('shop.example', '/', { ...POST, timeoutMs: 20_000 }))
    await until('they have arrived', () => requests.length >= 32)
    expect(await send('shop.example', '/quick')).toMatchObject({ status: 200 })
    guard.close()
    await Promise.all(hanging)
  })

  it('waits for no connection that is kept to another host, of which there are few', async () => {
    const { requests, send } = await start((_request, response) => response.end())
    await Promise.all(
      Array.from({ length: 512 }, (_, host) =>
        send(`shop${host}.example`, '/', { ...POST, tenantId: `tenant-${host}` }),
      ),
    )
    expect(await send('other.example', '/', { ...POST, timeoutMs: 1_500 })).toMatchObject({ status: 200 })
    const sockets = requests.map(({ socket }) => socket)
    expect(new Set(sockets).size).toBe(513)
    await until('the others are closed', () => sockets.filter(({ destroyed }) => !destroyed).length <= 256)
  })
})
