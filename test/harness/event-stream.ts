import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { atEnd } from './at-end.js'
import { until } from './until.js'

/** One server-sent event. */
export interface SentEvent {
  event: string
  id: string | undefined
  data: string
}

/** A stream of server-sent events as a client that reads the wire itself sees it. */
export interface RawStream {
  status: number
  headers: IncomingMessage['headers']
  /** What has come so far. */
  events: SentEvent[]
  isEnded: () => boolean
  /** Waits for so many events in all. */
  untilCount: (count: number) => Promise<SentEvent[]>
  /** What was answered in place of a stream. */
  body: string
  close: () => void
}

/** Opens a stream; one that is refused has its whole answer in `body`. */
export async function openStream(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: object } = {},
): Promise<RawStream> {
  const { method = 'GET', headers = {}, body } = options
  const { promise, resolve, reject } = Promise.withResolvers<{ sent: ClientRequest; response: IncomingMessage }>()
  const sent = request(url, {
    method,
    agent: false,
    headers: { accept: 'text/event-stream', ...(body && { 'content-type': 'application/json' }), ...headers },
  })
  sent.on('response', (response) => {
    resolve({ sent, response })
  })
  sent.on('error', reject)
  sent.end(body && JSON.stringify(body))
  atEnd(() => sent.destroy())
  const { response } = await promise
  const events: SentEvent[] = []
  const refused = response.statusCode !== 200
  const whole = refused ? await text(response) : ''
  let isEnded = refused
  if (!refused) {
    let rest = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() ?? ''
      events.push(...blocks.flatMap(eventOf))
    })
    const end = (): void => {
      isEnded = true
    }
    response.on('end', end)
    response.on('close', end)
    response.on('error', end)
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    isEnded: () => isEnded,
    untilCount: async (count) => {
      await until(`${count} events came`, () => Promise.resolve(events.length >= count))
      return events
    },
    body: whole,
    close: () => {
      sent.destroy()
    },
  }
}

function eventOf(block: string): SentEvent[] {
  const fields = block.split('\n').map((line) => /^(event|id|data): ?(.*)$/.exec(line))
  const valueOf = (name: string) => fields.find((field) => field?.[1] === name)?.[2]
  const data = fields.filter((field) => field?.[1] === 'data').map((field) => field?.[2])
  return data.length > 0 ? [{ event: valueOf('event') ?? 'message', id: valueOf('id'), data: data.join('\n') }] : []
}
