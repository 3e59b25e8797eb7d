import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long connections that clients keep are waited for, so that they learn of the end from an answer, not from a cut. */
const FAREWELL_MS = 500

/** How long requests in flight may take after that. */
const DRAIN_MS = 4_500

/** How an HTTP server lets go of its clients. */
export interface Door {
  isClosing: () => boolean
  /**
   * Stops taking requests, finishes those in flight, and gives up on those that take too long. Every answer from now on
   * says `Connection: close`, so that no client sends its next request on a connection that is about to end.
   */
  close: () => Promise<void>
}

const doors = new WeakMap<FastifyInstance, Door>()

/** The door of a server; the first to ask must do so before the server listens. */
export function doorOf(app: FastifyInstance): Door {
  const door = doors.get(app) ?? createDoor(app)
  doors.set(app, door)
  return door
}

/**
 * Mounts what a supervisor asks: whether the process is there, and whether it takes requests.
 * @param isReady whether the parts behind it are
 */
export function mountHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  const door = doorOf(app)
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const ready = !door.isClosing() && (await isReady())
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'starting' })
  })
}

function createDoor(app: FastifyInstance): Door {
  const connections = new Set<Socket>()
  let isClosing = false
  app.server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done()
  })
  return {
    isClosing: () => isClosing,
    close: async () => {
      isClosing = true
      const farewellEnd = performance.now() + FAREWELL_MS
      while (connections.size > 0 && performance.now() < farewellEnd) await delay(20)
      const tooLate = setTimeout(() => {
        app.server.closeAllConnections()
      }, DRAIN_MS)
      await app.close()
      clearTimeout(tooLate)
    },
  }
}
