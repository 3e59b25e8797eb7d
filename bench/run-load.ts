import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { LoadOrder, LoadResult } from './load.js'

/** Connections that are busy all the time. */
const CONNECTIONS = 32

/**
 * Runs a load generator in a process of its own, so that it shares no event loop with anything.
 * @param order.connections 32 where it does not say
 */
export function runLoad(
  order: Omit<LoadOrder, 'connections'> & Partial<Pick<LoadOrder, 'connections'>>,
): Promise<LoadResult> {
  const generator = fork(join(import.meta.dirname, 'load.js'))
  return new Promise((resolve, reject) => {
    generator.once('message', (result) => {
      generator.kill()
      resolve(result as LoadResult)
    })
    generator.once('exit', () => {
      reject(new Error('the load generator ended without a result'))
    })
    generator.send({ connections: CONNECTIONS, ...order })
  })
}
