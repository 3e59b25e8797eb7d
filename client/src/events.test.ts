import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { serve } from '../../test/harness/serve.js'
import { ConnectionError } from './api-error.js'
import { createClient } from './client.js'
import type { EventsOptions } from './events.js'
import { readEvents, type StreamState } from './sse.js'

const bytes = (text: string, size: number): ReadableStream<Uint8Array> => {
  const all = new TextEncoder().encode(text)
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < all.length; at += size) controller.enqueue(all.slice(at, at + size))
      controller.close()
    },
  })
}

describe('a stream of events', () => {
  it.each([1, 2, 3, 1000])('is read whatever its pieces are: of %d bytes', async (size) => {
    const state: StreamState = { lastId: '' }
    const text =
      ': hello\r\n\r\nretry: 1500\nid: 1\nevent: payment.pending\ndata: {"a":\ndata: "é"}\n\ndata:x\rid: 2\r\rdata: not whole'
    const events = []
    for await (const event of readEvents(bytes(text, size), state)) events.push(event)
    expect(events).toEqual([
      { id: '1', type: 'payment.pending', data: '{"a":\n"é"}' },
      { id: '2', type: 'message', data: 'x' },
    ])
    expect(state).toEqual({ lastId: '2', retryMs: 1500 })
  })

  it('is opened again behind the last event, where it ends or breaks, and ends with its reader', async () => {
    const asked: (string | undefined)[] = []
    const parts = [
      (response: ServerResponse) => response.end('id: 1\nevent: payment.pending\ndata: {"n":1}\n\n'),
      (response: ServerResponse) => {
        response.write('id: 2\ndata: {"n":2}\n\nid: 3\ndata: half')
        setImmediate(() => response.destroy())
      },
      (response: ServerResponse) => response.write('id: 3\ndata: {"n":3}\n\n'),
    ]
    const { url } = await serve((request, response) => {
      asked.push(request.headers['last-event-id'] as string | undefined)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      parts[asked.length - 1]?.(response)
    })
    const client = createClient({ baseUrl: url, apiKey: 'key', sleep: () => Promise.resolve() })
    const seen: unknown[] = []
    for await (const { sequence, data } of client.paymentEvents('c1')) {
      seen.push([sequence, data])
      if (sequence === '3') break
    }
    expect(seen).toEqual([
      ['1', { n: 1 }],
      ['2', { n: 2 }],
      ['3', { n: 3 }],
    ])
    expect(asked).toEqual([undefined, '1', '2'])
  })
})

describe('a payment that is followed', () => {
  const REFUSED = { 400: 'validation_error', 401: 'unauthorized', 403: 'permission_denied', 404: 'payment_not_found' }
  const stream = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  /** A stream that is open for a while, and is cut before anything happens. */
  const cut = () =>
    new Response(
      new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) }, { highWaterMark: 0 }),
      { headers: { 'content-type': 'text/event-stream' } },
    )
  const refused = (status: number, code: string, headers = {}) =>
    Response.json({ statusCode: status, status: code, message: 'No.' }, { status, headers })

  /** Follows a payment by answers in their order, and then by none. @returns what came, how it ended, and each wait */
  async function follow(answers: readonly (() => Response)[], options: EventsOptions = {}) {
    const left = [...answers]
    const waits: number[] = []
    const fetch = () => {
      const next = left.shift()
      return next ? Promise.resolve(next()) : Promise.reject(new TypeError('refused'))
    }
    const client = createClient({
      ...{ baseUrl: 'http://service', apiKey: 'key', maxRetries: 0, fetch, random: () => 0 },
      sleep: (ms) => Promise.resolve(void waits.push(ms)),
    })
    const seen: string[] = []
    try {
      for await (const { sequence } of client.paymentEvents('c1', options)) seen.push(sequence)
      return { seen, waits, error: undefined }
    } catch (error) {
      return { seen, waits, error }
    }
  }
  const away = () => {
    throw new TypeError('refused')
  }

  it('is followed over the minutes of a release, by the wait that the stream asks for, ever longer', async () => {
    const { seen, waits } = await follow([
      ...[() => stream('retry: 1000\n\nid: 1\ndata: 1\n\n'), ...Array.from({ length: 7 }, () => away)],
      () => stream('id: 2\ndata: 2\n\n'),
    ])
    expect(seen).toEqual(['1', '2'])
    expect(waits.slice(0, 9)).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 1_000])
  })

  it('is followed over any number of cuts between which nothing happens', async () => {
    const cuts = Array.from({ length: 30 }, () => cut)
    const { seen, waits } = await follow([...cuts, () => stream('id: 7\ndata: 7\n\n')])
    expect(seen).toEqual(['7'])
    expect(new Set(waits.slice(0, 30))).toEqual(new Set([2_000]))
  })

  it('waits as long as a service asks for that is away or has no place', async () => {
    const { waits } = await follow([
      ...[() => refused(429, 'too_many_streams', { 'retry-after': '40' }), () => refused(503, 'unknown')],
      ...[() => new Response('<html>', { status: 502 }), () => stream('')],
    ])
    expect(waits.slice(0, 4)).toEqual([40_000, 4_000, 8_000, 2_000])
  })

  it.each(Object.entries(REFUSED))('ends at once where %s says that it will not change', async (status, code) => {
    const { error, waits } = await follow([cut, () => refused(Number(status), code)])
    expect(error).toMatchObject({ code, httpStatus: Number(status) })
    expect(waits).toHaveLength(1)
  })

  it('ends as a ConnectionError where the service is away for longer than ten minutes, or than its reader allows', async () => {
    const sum = (waits: readonly number[]) => waits.reduce((all, ms) => all + ms, 0)
    const long = await follow([])
    expect(long.error).toBeInstanceOf(ConnectionError)
    expect(sum(long.waits)).toBeGreaterThan(540_000)
    expect(sum(long.waits)).toBeLessThanOrEqual(600_000)
    const short = await follow([cut], { reopenForMs: 10_000 })
    expect(short.error).toBeInstanceOf(ConnectionError)
    expect(short.waits).toEqual([2_000, 2_000, 4_000])
    const none = await follow([cut], { reopenForMs: 0 })
    expect(none).toMatchObject({ waits: [], error: { name: 'ConnectionError' } })
  })

  it('ends quietly with its signal while the service is away', async () => {
    const ending = new AbortController()
    const answers = Array.from({ length: 50 }, (_, index) => () => {
      if (index === 40) ending.abort()
      return away()
    })
    const { error, waits } = await follow(answers, { signal: ending.signal, reopenForMs: Infinity })
    expect([error, waits.length]).toEqual([undefined, 40])
  })
})
