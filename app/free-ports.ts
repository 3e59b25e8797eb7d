import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Env } from './env.js'

/** Where something listens. */
interface Address {
  host: string
  port: number
}

/**
 * Looks whether this process could listen on its ports now, before anything is started for it.
 * @throws Error naming the port and its setting, where another program has it
 */
export async function checkPorts({ host, port, metricsHost, metricsPort }: Env): Promise<void> {
  await listenOnce({ host, port }).catch(refuseTaken('PORT', { host, port }))
  if (metricsPort === undefined) return
  const metrics = { host: metricsHost, port: metricsPort }
  await listenOnce(metrics).catch(refuseTaken('METRICS_PORT', metrics))
}

/** Handles a failure to listen. @throws Error with one line that names the setting; any other failure as it is */
export function refuseTaken(setting: string, { host, port }: Address): (error: unknown) => never {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Error(`port ${port} of ${host} is already in use: stop what uses it, or set ${setting} to another port`, {
      cause: error,
    })
  }
}

async function listenOnce({ host, port }: Address): Promise<void> {
  // Who comes in that moment must not keep the port open.
  const server = createServer((socket) => socket.destroy())
  await once(server.listen({ host, port }), 'listening')
  await once(server.close(), 'close')
}
