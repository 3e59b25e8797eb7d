import type { ClientBase, Connection, PoolClient } from 'pg'

/** How long the database may take to answer. Mutable: a migration may take as long as it needs. */
export interface AnswerLimit {
  /** Milliseconds; 0 for no limit. */
  answerMs: number
}

/**
 * Cuts a connection on which an answer does not come: the server is frozen, or the network has lost the connection without
 * telling. pg's own `query_timeout` would fail the statement and hand the connection on with the statement still on it.
 * A connection that was cut fails all that waits on it, and no pool gives it out again.
 */
export function watchConnection(client: PoolClient, limit: AnswerLimit): void {
  let isBusy = false
  let timer: NodeJS.Timeout | undefined
  const cut = (): void => {
    if (isBusy) cutConnection(client, new Error(`the database did not answer within ${limit.answerMs} ms`))
  }
  const startWaiting = (): void => {
    if (timer) timer.refresh()
    // The sockets are read once more before: a process that was itself frozen has its answers waiting there.
    else if (limit.answerMs > 0) timer = setTimeout(() => setImmediate(cut), limit.answerMs).unref()
  }
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((...given: unknown[]) => {
    if (!isBusy) startWaiting()
    isBusy = true
    return query(...given)
  }) as PoolClient['query']
  // One statement is answered; others may wait behind it.
  connectionOf(client).on('readyForQuery', startWaiting)
  client.on('drain', () => {
    isBusy = false
  })
  client.on('end', () => {
    isBusy = false
    clearTimeout(timer)
  })
}

/** Ends a connection without a word to the other side, which may be gone. */
export function cutConnection(client: ClientBase, reason: Error): void {
  connectionOf(client).stream.destroy(reason)
}

/** pg's types leave it out, but there is no other way to end a connection at once. */
function connectionOf(client: ClientBase): Connection {
  return (client as unknown as { connection: Connection }).connection
}
