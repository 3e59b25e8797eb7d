import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../../kernel/log.js'
import { tellStream } from '../request-log.js'
import { openStreams } from './open-streams.js'

/** What keeps a connection open through proxies that end silent ones. */
const HEARTBEAT_MS = 15_000
/** A client that lost its stream comes again after this. */
const RETRY_MS = 2_000
/** How long a client may take to read what was written; it comes again and goes on where it was. */
const SLOW_READER_MS = 30_000

/** One event; `id` is what a client sends as `Last-Event-ID` to go on behind it. */
export interface StreamEvent {
  event?: string
  id?: string
  data: string
}

export interface EventStream {
  /** Of whom few streams may be open: a key, or a link. */
  key: string
  /** Whose key or link it is: no tenant takes the places of the others. */
  tenantId: string
  /** Its events until `signal` is aborted. Each is asked for once the one before was taken, so a slow reader reads late news. */
  feed: (signal: AbortSignal) => AsyncIterable<StreamEvent>
  /** Asked at each heartbeat; false ends the stream. */
  mayGoOn?: () => boolean | Promise<boolean>
}

/** Streams of server-sent events, of which so many may be open at once in a process. */
export interface EventStreams {
  /**
   * Answers with a stream. Where all are open, the tenant with the most of them gives its oldest one up to a tenant that has
   * fewer: its client comes again.
   * @returns false where there are too many already: nothing is answered then
   */
  open: (request: FastifyRequest, reply: FastifyReply, stream: EventStream) => boolean
  /** Ends all: clients come again, to another process. */
  close: () => void
}

/** How many streams one key, one tenant, and all of them may have open. */
interface StreamLimits {
  perKey: number
  perTenant: number
  total: number
}

export function eventStreams(limits: StreamLimits, log: Logger): EventStreams {
  const open = openStreams()
  const perKey = counter()
  let isClosed = false
  return {
    open: (request, reply, stream) => {
      const { key, tenantId } = stream
      if (perKey.of(key) >= limits.perKey || open.of(tenantId) >= limits.perTenant) return false
      if (open.count() >= limits.total && !open.giveUpFor(tenantId)) return false
      perKey.change(key, 1)
      const ending = new AbortController()
      open.add(tenantId, ending)
      // Of a client that came too late: it comes again, to another process.
      if (isClosed) ending.abort()
      void send(request, reply, stream, ending, log).finally(() => {
        open.remove(tenantId, ending)
        perKey.change(key, -1)
      })
      return true
    },
    close: () => {
      isClosed = true
      for (const ending of open.all()) ending.abort()
    },
  }
}

/** Counts by name; what is at zero takes no room. */
function counter(): { of: (name: string) => number; change: (name: string, by: number) => void } {
  const counts = new Map<string, number>()
  const of = (name: string): number => counts.get(name) ?? 0
  return {
    of,
    change: (name, by) => {
      const count = of(name) + by
      if (count > 0) counts.set(name, count)
      else counts.delete(name)
    },
  }
}

/** Writes a stream until its feed, its client or its process ends it. Never rejects. */
async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { feed, mayGoOn }: EventStream,
  ending: AbortController,
  log: Logger,
): Promise<void> {
  const { raw } = reply
  const end = (): void => {
    ending.abort()
  }
  // Taken before it is hijacked: fastify then forgets what was set.
  const headers = reply.getHeaders() as Record<string, string>
  reply.hijack()
  tellStream(reply)
  raw.once('close', end)
  request.raw.socket.once('close', end)
  // Of a client that went away while what it follows was looked up: nothing will say so any more.
  if (raw.destroyed || request.raw.socket.destroyed) end()
  const heart = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(': \n\n')
    Promise.resolve(mayGoOn?.() ?? true).then((may) => {
      if (!may) end()
    }, end)
  }, HEARTBEAT_MS)
  heart.unref()
  try {
    raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    raw.write(`retry: ${RETRY_MS}\n\n`)
    for await (const event of feed(ending.signal)) {
      if (ending.signal.aborted || !(await write(raw, textOf(event), ending.signal))) break
    }
    raw.end()
  } catch (error) {
    // The client comes again and goes on where it was.
    log.warn({ requestId: request.id, err: error }, 'a stream of events broke off')
    raw.end()
  } finally {
    clearInterval(heart)
    request.raw.socket.removeListener('close', end)
    end()
  }
}

/** One event on the wire. A line break would end a field early, so each line of data is a field of its own. */
export function textOf({ event, id, data }: StreamEvent): string {
  const lines = data.split('\n').map((line) => `data: ${line}\n`)
  return `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}${lines.join('')}\n`
}

/** @returns whether it was taken; a client that reads too slowly is cut off */
async function write(raw: ServerResponse, text: string, signal: AbortSignal): Promise<boolean> {
  if (raw.destroyed) return false
  if (raw.write(text)) return true
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const stop = (): void => {
    resolve(false)
  }
  const take = (): void => {
    resolve(true)
  }
  const tooLate = setTimeout(() => raw.destroy(), SLOW_READER_MS)
  raw.once('drain', take)
  raw.once('close', stop)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await promise
  } finally {
    clearTimeout(tooLate)
    raw.removeListener('drain', take)
    raw.removeListener('close', stop)
    signal.removeEventListener('abort', stop)
  }
}
