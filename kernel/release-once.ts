import type { Pool, PoolClient } from 'pg'

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void

/**
 * A pool whose connections may be given back twice. graphile-worker 0.18 does so with the one that it listens on, where that is lost
 * while the worker ends (main.js, `release` of `listenForChanges`): nobody awaits the second, so its error would end the process.
 */
export function releasedOnce(pool: Pool): Pool {
  const connect = (connected?: Connected): Promise<PoolClient> | undefined => {
    if (!connected) return pool.connect()
    pool.connect((error, client, release) => {
      let isReleased = false
      connected(error, client, (reason) => {
        if (isReleased) return
        isReleased = true
        release(reason)
      })
    })
    return undefined
  }
  return new Proxy(pool, { get: (of, name) => (name === 'connect' ? connect : (Reflect.get(of, name) as unknown)) })
}
