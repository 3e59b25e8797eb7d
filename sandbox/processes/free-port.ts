import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Whether a server could listen on the TCP port of 127.0.0.1 now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}

/** Ports that were handed out and may not be listened on yet: those who ask later get others. */
const handedOut = new Set<number>()

/**
 * A TCP port of 127.0.0.1 that is free now and likely to be at later starts: below 32768, where Linux begins to hand
 * out ports to outgoing connections. No port is handed out twice by one process.
 * @param randomPort a port to try, for tests
 * @throws Error if none of a hundred is free
 */
export async function findLastingPort(randomPort = () => randomInt(16_384, 32_768)): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomPort()
    if (handedOut.has(port)) continue
    handedOut.add(port)
    if (await isPortFree(port)) return port
  }
  throw new Error('no free TCP port was found on 127.0.0.1')
}
