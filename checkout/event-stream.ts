import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageView } from './page/view.js'

/** What keeps a connection open through proxies that end silent ones. */
const HEARTBEAT_MS = 15_000
/** A browser that lost the stream comes again after this. */
const RETRY_MS = 2_000

/** Streams to browsers, of which so many may be open at once. */
export interface EventStreams {
  /**
   * Streams views until the browser leaves: one at once, and one after each change. Changes that come while one is read are
   * one change.
   * @returns false where there are too many already
   */
  open: (request: FastifyRequest, reply: FastifyReply, source: ViewSource) => boolean
  /** Ends all: browsers come again, to another process. */
  close: () => void
}

export interface ViewSource {
  /** The link, of which few streams may be open. */
  key: string
  headers: Readonly<Record<string, string>>
  read: () => Promise<PageView | undefined>
  /** @returns ends it */
  subscribe: (onChange: () => void) => () => void
}

/** @param limits how many streams one link, and all of them, may have open */
export function eventStreams(limits: { perKey: number; total: number }): EventStreams {
  const ends = new Set<() => void>()
  const perKey = new Map<string, number>()

  return {
    open: (request, reply, { key, headers, read, subscribe }) => {
      const count = perKey.get(key) ?? 0
      if (count >= limits.perKey || ends.size >= limits.total) return false
      perKey.set(key, count + 1)
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
      raw.write(`retry: ${RETRY_MS}\n\n`)
      const send = onceAtATime(async () => {
        const view = await read().catch(() => undefined)
        if (view && !raw.destroyed) raw.write(`event: view\nid: ${view.version}\ndata: ${JSON.stringify(view)}\n\n`)
      })
      const unsubscribe = subscribe(send)
      const heart = setInterval(() => raw.write(': \n\n'), HEARTBEAT_MS)
      heart.unref()
      const end = (): void => {
        raw.end()
      }
      ends.add(end)
      request.raw.socket.once('close', () => raw.destroy())
      raw.once('close', () => {
        unsubscribe()
        clearInterval(heart)
        ends.delete(end)
        const left = (perKey.get(key) ?? 1) - 1
        if (left > 0) perKey.set(key, left)
        else perKey.delete(key)
      })
      // What changed between the page and its stream is seen now.
      send()
      return true
    },
    close: () => {
      for (const end of ends) end()
    },
  }
}

/** Runs work when it is asked for; asked for again meanwhile, once more after it. */
function onceAtATime(work: () => Promise<void>): () => void {
  let state: 'idle' | 'running' | 'again' = 'idle'
  const run = async (): Promise<void> => {
    do {
      state = 'running'
      await work()
    } while (isAgain())
    state = 'idle'
  }
  const isAgain = (): boolean => state === 'again'
  return () => {
    if (state === 'idle') void run()
    else state = 'again'
  }
}
