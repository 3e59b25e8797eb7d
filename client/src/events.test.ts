import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { serve } from '../../test/harness/serve.js'
import { createClient } from './client.js'
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
