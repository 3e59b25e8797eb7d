import fastify from 'fastify'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createLog } from '../kernel/log.js'
import { ending } from '../test/harness/at-end.js'
import { capturedLog } from '../test/harness/captured-log.js'
import { openStream } from '../test/harness/event-stream.js'
import { until } from '../test/harness/until.js'
import { createHttpServer } from './http.js'
import { eventStreams } from './live/event-streams.js'
import { logRequests, type AnsweredRequest } from './request-log.js'

/** A server that answers slowly, in parts, or with a stream of events, and what it tells of that. */
async function serve() {
  const { log, lines } = capturedLog('info')
  const counted: AnsweredRequest[] = []
  const app = ending(fastify())
  logRequests(app, log, (request) => counted.push(request))
  const streams = eventStreams({ perKey: 1, perTenant: 1, total: 1 }, createLog('silent'))
  const answer = Promise.withResolvers<undefined>()
  let asked = 0
  app.get('/slow', async () => {
    asked += 1
    await answer.promise
    return { done: true }
  })
  app.get('/large', () => 'x'.repeat(50_000_000))
  app.get('/events', (request, reply) => {
    const feed = async function* (signal: AbortSignal) {
      yield { id: '1', data: 'one' }
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve)
      })
    }
    streams.open(request, reply, { key: 'k', tenantId: 't', feed })
    return reply
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const told = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  /** Sends a request, and is gone as soon as `when` says so. */
  const leave = async (path: string, when: (read: number) => boolean): Promise<void> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let read = 0
    socket.on('data', (bytes) => {
      read += bytes.length
      if (when(read)) socket.destroy()
    })
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    await until('it may leave', () => when(read))
    socket.destroy()
  }
  return { url, streams, counted, told, leave, answer, asked: () => asked }
}

describe('a request whose client is gone before the answer', () => {
  it('is logged and counted once, as such', async () => {
    const { url, counted, told, leave, answer, asked } = await serve()
    await leave('/slow', () => asked() === 1)
    await until('it is told', () => told().length > 0)
    answer.resolve(undefined)
    await fetch(`${url}/slow`)
    await until('the next is told', () => told().length > 1)
    const ends = [
      { route: '/slow', status: 499, code: 'connection_closed' },
      { route: '/slow', status: 200, code: 'ok' },
    ]
    expect([told(), counted]).toMatchObject([ends, ends])
  })

  it('is so with the status that went out where the answer had begun', async () => {
    const { counted, told, leave } = await serve()
    await leave('/large', (read) => read > 0)
    await until('it is told', () => told().length > 0)
    expect(counted).toMatchObject([{ route: '/large', status: 200, code: 'connection_closed' }])
  })
})

describe('a stream of events', () => {
  it.each(['its client', 'its process'])(
    'has one line, is no failure and no slow answer where %s ends it',
    async (who) => {
      const { url, streams, counted, told } = await serve()
      const stream = await openStream(`${url}/events`)
      await stream.untilCount(1)
      if (who === 'its client') stream.close()
      else streams.close()
      await until('it is told', () => told().length > 0)
      await fetch(`${url}/nowhere`)
      await until('the next is told', () => told().length > 1)
      expect(told()).toMatchObject([{ route: '/events', status: 200, code: 'ok' }, { status: 404 }])
      expect(counted).toMatchObject([{ status: 404 }])
    },
  )
})

describe('a request that no route takes', () => {
  it('is logged and counted once, with the id that its answer carries', async () => {
    const { log, lines } = capturedLog('info')
    const counted: AnsweredRequest[] = []
    const server = createHttpServer(
      () => Promise.resolve(true),
      () => 'request-1',
      {
        notFound: (_request, reply) => void reply.code(404).send({ status: 'not_found' }),
        failed: () => undefined,
        observe: (app) => {
          logRequests(app, log, (request) => counted.push(request))
        },
      },
    )
    const url = await ending(server).listen({ host: '127.0.0.1', port: 0 })
    for (const method of ['GET', 'POST']) expect((await fetch(`${url}/nowhere`, { method })).status).toBe(404)
    await until('both are told', () => lines.length > 1)
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { method: 'GET', route: 'none', status: 404, requestId: 'request-1' },
      { method: 'POST', route: 'none', status: 404, requestId: 'request-1' },
    ])
    expect(counted).toHaveLength(2)
  })
})

describe('a figure that cannot be counted', () => {
  it('is told in the log, and ends nothing', async () => {
    const { log, lines } = capturedLog('info')
    const app = ending(fastify())
    logRequests(app, log, () => {
      throw new Error('on fire')
    })
    app.get('/', () => ({ done: true }))
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    expect([(await fetch(url)).status, (await fetch(url)).status]).toEqual([200, 200])
    await until('it is told', () => lines.length > 1)
    expect(lines.join('')).toContain('on fire')
  })
})
