import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { atEnd } from '../../test/harness/at-end.js'
import { exchange, TransportError } from './json-rpc.js'

const CALL = { method: 'getSlot', params: [] }
const ANSWER = JSON.stringify({ jsonrpc: '2.0', id: 0, result: 7 })

/** A node that answers as it is told. */
async function node(answer: RequestListener): Promise<{ url: string; port: number; connections: () => number }> {
  let count = 0
  const server = createServer(answer).on('connection', () => (count += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/key`, port, connections: () => count }
}

const ask = (url: string, timeoutMs = 5_000) => exchange(url, [CALL], { isBatch: false, timeoutMs })

async function failureOf(url: string, timeoutMs?: number): Promise<TransportError> {
  const error: unknown = await ask(url, timeoutMs).catch((thrown: unknown) => thrown)
  if (!(error instanceof TransportError)) throw new Error('it did not fail as the transport fails')
  return error
}

describe('a call of a node over HTTP', () => {
  it('is answered, on connections that are kept', async () => {
    const { url, connections } = await node((_request, response) => response.end(ANSWER))
    for (let count = 0; count < 5; count += 1) expect(await ask(url)).toEqual([{ result: 7 }])
    expect(connections()).toBe(1)
  })

  it('may be answered packed, and is asked with the user and password of the address', async () => {
    const seen: (string | undefined)[] = []
    const { port } = await node(({ headers, url }, response) => {
      seen.push(url, headers.authorization, String(headers['accept-encoding']))
      response.setHeader('content-encoding', 'gzip').end(gzipSync(ANSWER))
    })
    expect(await ask(`http://us%3Aer:pass@127.0.0.1:${port}/path`)).toEqual([{ result: 7 }])
    expect(seen).toEqual(['/path', `Basic ${Buffer.from('us:er:pass').toString('base64')}`, 'gzip'])
  })

  it.each<[string, RequestListener, Partial<TransportError>]>([
    [
      'breaks off',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 100 }).write('{')
        setImmediate(() => response.destroy())
      },
      { kind: 'unavailable', isRefusal: false, message: 'no connection' },
    ],
    [
      'does not end',
      (_request, response) => void response.writeHead(200).write('{'),
      { kind: 'timeout', message: 'no answer in time' },
    ],
    ['does not begin', () => undefined, { kind: 'timeout', message: 'no answer in time' }],
    [
      'is packed and breaks off',
      (_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(ANSWER).subarray(0, 20)),
      { kind: 'unavailable', isRefusal: false },
    ],
    [
      'is too long once it is unpacked',
      (_request, response) => {
        response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(33 * 1024 * 1024, 32)))
      },
      { kind: 'unavailable', answered: true, message: 'the answer is too long' },
    ],
    [
      'leads elsewhere',
      (_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      { kind: 'unavailable', isRefusal: false, status: 307 },
    ],
    [
      'turns it away for a while',
      (_request, response) => response.writeHead(429, { 'retry-after': '3' }).end(),
      { isRefusal: true, status: 429, retryAfterMs: 3_000 },
    ],
  ])('fails where the answer %s', async (_how, answer, failure) => {
    const { url } = await node(answer)
    expect(await failureOf(url, failure.kind === 'timeout' ? 500 : 60_000)).toMatchObject(failure)
  })

  it('never left where nobody listens, and no failure names the address', async () => {
    const refused = await failureOf('http://127.0.0.1:1/secret-key')
    expect(refused).toMatchObject({ kind: 'unavailable', isRefusal: true })
    const none = await failureOf('secret-key')
    for (const error of [refused, none]) expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('secret-key')
  })
})
