import { connect } from 'node:net'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { ending } from '../../test/harness/at-end.js'
import { openStream } from '../../test/harness/event-stream.js'
import { until } from '../../test/harness/until.js'
import { createLog } from '../../kernel/log.js'
import { bell } from './bell.js'
import { eventStreams, textOf, type EventStream } from './event-streams.js'

/** A server that answers every request with the stream. */
async function serve(stream: Pick<EventStream, 'feed'>, total = 10) {
  const streams = eventStreams({ perKey: 2, perTenant: 3, total }, createLog('silent'))
  const app = ending(fastify())
  app.get('/', (request, reply) => {
    const { key = 'k', tenant: tenantId = 't' } = request.query as { key?: string; tenant?: string }
    reply.header('x-request-id', 'r1')
    if (!streams.open(request, reply, { key, tenantId, ...stream })) void reply.code(429).send()
    return reply
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { url, streams }
}

describe('a stream of events', () => {
  it('ends whole when its process does, and without an event of its own', async () => {
    let isOver = false
    const { url, streams } = await serve({
      feed: async function* (signal) {
        const news = bell(signal)
        yield { id: '1', data: 'one' }
        await news.rung()
        isOver = true
      },
    })
    const stream = await openStream(url)
    await stream.untilCount(1)
    streams.close()
    await until('it has ended', () => stream.isEnded())
    expect([stream.events, stream.headers['x-request-id'], isOver]).toEqual([
      [{ event: 'message', id: '1', data: 'one' }],
      'r1',
      true,
    ])
    const late = await openStream(url)
    await until('a late one has ended', () => late.isEnded())
    expect([late.status, late.events]).toEqual([200, []])
  })

  it('is asked for no more than its reader takes', async () => {
    let asked = 0
    const { url } = await serve({
      feed: async function* () {
        for (; asked < 1_000; asked += 1) yield await Promise.resolve({ data: 'x'.repeat(1_000_000) })
      },
    })
    const { port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    ending({ close: () => socket.destroy() })
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await until('some were written', () => asked > 0)
    // As long as the system's buffers take more.
    let before = -1
    await until('it waits', async () => {
      const isSame = before === asked
      before = asked
      await new Promise((resolve) => setImmediate(resolve))
      return isSame && asked > 0
    })
    expect(asked).toBeLessThan(200)
    socket.resume()
    await until('it goes on', () => asked > before + 1)
  })

  it('that broke off within ends, so that its client comes again', async () => {
    const { url } = await serve({
      feed: async function* () {
        yield await Promise.resolve({ data: 'one' })
        throw new Error('the database is gone')
      },
    })
    const stream = await openStream(url)
    await until('it has ended', () => stream.isEnded())
    expect(stream.events).toHaveLength(1)
  })

  it('is refused to a key, and to a tenant with many keys, that has its part of them, and to no other tenant', async () => {
    const { url, streams } = await serve({
      feed: async function* (signal) {
        yield { data: 'one' }
        await bell(signal).rung()
      },
    })
    const statusOf = async (of: string) => (await openStream(`${url}/?${of}`)).status
    const statuses: number[] = []
    for (const of of ['key=a', 'key=a', 'key=a', 'key=b', 'key=c', 'key=d&tenant=u']) statuses.push(await statusOf(of))
    expect(statuses).toEqual([200, 200, 429, 200, 429, 200])
    streams.close()
  })

  it('is opened for a tenant that has few, where others have taken all: the oldest of who has most is ended', async () => {
    const { url, streams } = await serve(
      {
        feed: async function* (signal) {
          yield { data: 'one' }
          await bell(signal).rung()
        },
      },
      4,
    )
    const open = (tenant: string, key: string) => openStream(`${url}/?key=${key}&tenant=${tenant}`)
    const [first, second, third, other] = [
      await open('a', '1'),
      await open('a', '1'),
      await open('a', '2'),
      await open('b', '3'),
    ]
    const late = await open('c', '4')
    expect(late.status).toBe(200)
    await until('the oldest has ended', () => first.isEnded())
    // Its client finds no place while no tenant has two more than its own.
    expect((await open('a', '1')).status).toBe(429)
    expect((await open('b', '3')).status).toBe(429)
    expect([second, third, other, late].map((stream) => stream.isEnded())).toEqual([false, false, false, false])
    streams.close()
    await until('all have ended', () => [second, third, other, late].every((stream) => stream.isEnded()))
  })

  it('takes no place of its key for a client that went away before it was opened', async () => {
    const streams = eventStreams({ perKey: 1, perTenant: 3, total: 10 }, createLog('silent'))
    ending({ close: streams.close })
    const app = ending(fastify())
    const opened: boolean[] = []
    let [came, wentAway] = [0, false]
    app.get('/', async (request, reply) => {
      // As where what it follows is looked up first.
      came += 1
      await new Promise((resolve) => request.raw.socket.once('close', resolve))
      wentAway = reply.raw.destroyed
      const feed = async function* (signal: AbortSignal): AsyncGenerator<{ data: string }> {
        await bell(signal).rung()
        yield { data: 'late' }
      }
      opened.push(streams.open(request, reply, { key: 'k', tenantId: 't', feed }))
      return reply
    })
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    for (const count of [1, 2, 3]) {
      const socket = connect(Number(port), '127.0.0.1')
      ending({ close: () => socket.destroy() })
      socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
      await until('it came', () => came === count)
      socket.destroy()
      await until('its stream was opened', () => opened.length === count)
    }
    expect([wentAway, opened]).toEqual([true, [true, true, true]])
  })

  it('writes each line of data as one, so that no text ends an event early', () => {
    expect(textOf({ event: 'next', id: '7', data: 'a\n\nb' })).toBe('event: next\nid: 7\ndata: a\ndata: \ndata: b\n\n')
  })
})
