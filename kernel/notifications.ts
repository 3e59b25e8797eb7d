import { Client } from 'pg'
import type { Logger } from './log.js'
import { cutConnection } from './watch-connection.js'

/** News out of the database, for those in this process who wait for them. */
export interface Notifications {
  /**
   * Told of each notification of this key, and, without a payload, where some may have been missed.
   * @returns ends it
   */
  subscribe: (key: string, onNews: (payload?: string) => void) => () => void
  close: () => void
}

const RECONNECT_MS = 1_000
/** A connection that is silently gone is found out by a question that nobody answers. */
const PROBE_EVERY_MS = 10_000
/** How long the database may take to answer, the opening of a connection included. */
const LIMITS = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 }

/**
 * Listens on a channel with one connection, however many wait. Where the connection was lost everybody is told once there is
 * another: what happened in between is seen by looking.
 * @param options.url of the database itself: a pool between that hands connections around would not pass notifications on
 * @param options.keysOf the keys that a payload is for; by default the payload itself
 */
export function openNotifications(options: {
  url: string
  channel: string
  log: Logger
  keysOf?: (payload: string) => readonly string[]
}): Notifications {
  const { keysOf = (payload) => [payload] } = options
  const waiting = new Map<string, Set<(payload?: string) => void>>()
  const tell = (whom: Iterable<(payload?: string) => void>, payload?: string): void => {
    for (const onNews of [...whom]) onNews(payload)
  }
  const listener = keepListening(options, {
    onNews: (payload) => {
      for (const key of keysOf(payload)) tell(waiting.get(key) ?? [], payload)
    },
    onConnected: () => {
      for (const whom of [...waiting.values()]) tell(whom)
    },
  })
  return {
    subscribe: (key, onNews) => {
      const whom = waiting.get(key) ?? new Set()
      waiting.set(key, whom.add(onNews))
      return () => {
        whom.delete(onNews)
        if (whom.size === 0 && waiting.get(key) === whom) waiting.delete(key)
      }
    },
    close: listener.close,
  }
}

/** Keeps one connection that listens, whatever becomes of the one before. */
function keepListening(
  { url, channel, log }: { url: string; channel: string; log: Logger },
  { onNews, onConnected }: { onNews: (payload: string) => void; onConnected: () => void },
): { close: () => void } {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const later = (ms: number, work: () => void): void => {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(work, ms)
    timer.unref()
  }
  const probe = (listening: Client): void => {
    later(PROBE_EVERY_MS, () => {
      listening.query('select 1').then(
        () => {
          if (client === listening) probe(listening)
        },
        (error: Error) => {
          cutConnection(listening, error)
          lost(listening)
        },
      )
    })
  }
  const lost = (was: Client): void => {
    if (client !== was) return
    client = undefined
    later(RECONNECT_MS, () => void connect())
  }
  const connect = async (): Promise<void> => {
    const fresh = new Client({ connectionString: url, keepAlive: true, ...LIMITS })
    client = fresh
    fresh.on('notification', ({ payload }) => {
      onNews(payload ?? '')
    })
    fresh.on('error', (error) => {
      if (!isClosed) log.warn({ channel, err: error }, 'the connection that listens was lost')
      lost(fresh)
    })
    fresh.on('end', () => {
      lost(fresh)
    })
    try {
      await fresh.connect()
      await fresh.query(`listen ${fresh.escapeIdentifier(channel)}`)
      probe(fresh)
      onConnected()
    } catch (error) {
      log.warn({ channel, err: error }, 'cannot listen to the database')
      cutConnection(fresh, error as Error)
      lost(fresh)
    }
  }
  void connect()
  return {
    close: () => {
      isClosed = true
      clearTimeout(timer)
      // Without a word: a database that is frozen would never answer it.
      if (client) cutConnection(client, new Error('nobody listens any more'))
      client = undefined
    },
  }
}
