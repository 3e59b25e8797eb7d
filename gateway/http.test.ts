import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { ending } from '../test/harness/at-end.js'
import { until } from '../test/harness/until.js'
import { createHttpServer } from './http.js'

it('keeps no answer for a client that does not read, and ends none that one reads slowly', async () => {
  const server = ending(
    createHttpServer(
      () => Promise.resolve(true),
      () => 'request-1',
      { notFound: () => undefined, failed: () => undefined, silenceMaxMs: 1_000 },
    ),
  )
  const ended = new Map<unknown, boolean>()
  server.get('/:client', (request, reply) => {
    const { client } = request.params as { client: string }
    reply.raw.once('close', () => ended.set(client, reply.raw.writableFinished))
    return reply.send('x'.repeat(40_000_000))
  })
  const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  const ask = (client: string): Socket => {
    const socket = connect(Number(port), '127.0.0.1').pause()
    // The one that is let go may be reset.
    socket.on('error', () => undefined)
    ending({ close: () => socket.destroy() })
    socket.write(`GET /${client} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    return socket
  }
  ask('silent')
  const slow = ask('slow')
  await until('the one that does not read is let go', () => {
    slow.read()
    return ended.has('silent')
  })
  expect([ended.get('silent'), ended.has('slow')]).toEqual([false, false])
  slow.resume()
  await until('the other has read all', () => ended.has('slow'))
  expect(ended.get('slow')).toBe(true)
})
