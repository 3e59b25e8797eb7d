import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Whether a server could listen on the TCP port of 127.0.0.1 now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}

/**
 * Takes a port for this process, which may not listen on it yet: whoever asks later, in any process, gets another. The mark is the UDP
 * port of the same number: the system gives it to one at a time, and frees it when the process ends.
 */
async function isHandedOut(port: number): Promise<boolean> {
  const mark = createSocket('udp4').unref()
  try {
    await once(mark.bind({ port, address: '127.0.0.1', exclusive: true }), 'listening')
    return false
  } catch {
    return true
  }
}

/**
 * A TCP port of 127.0.0.1 that is free now and likely to be at later starts: below 32768, where Linux begins to hand
 * out ports to outgoing connections. No port is handed out twice while the process lives that got it.
 * @param randomPort a port to try, for tests
 * @throws Error if none of a hundred is free
 */
export async function findLastingPort(randomPort = () => randomInt(16_384, 32_768)): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomPort()
    if (!(await isHandedOut(port)) && (await isPortFree(port))) return port
  }
  throw new Error('no free TCP port was found on 127.0.0.1')
}
