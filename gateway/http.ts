import fastify, { type FastifyInstance } from 'fastify'
import { requestIdOf } from './request.js'

/** The largest body that is read: 256 KiB. */
const BODY_LIMIT_BYTES = 256 * 1024

/** How long requests in flight may take once the server is told to stop. */
const DRAIN_MS = 10_000

/** What the server asks before it says that it is ready. */
export interface Health {
  isReady: () => Promise<boolean>
}

/** The HTTP server of the gateway: request ids, health, and nothing of its own besides. */
export function createHttpServer(health: Health, newId: () => string): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: 'idle',
    genReqId: (request) => requestIdOf(request.headers, newId),
    requestTimeout: 60_000,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512 },
  })
  // JSON only: what else comes is refused as a media type, not guessed at.
  app.removeContentTypeParser('text/plain')
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await health.isReady()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'starting' })
  })
  return app
}

/** Stops taking requests, finishes those in flight, and gives up on those that take too long. */
export async function drain(app: FastifyInstance): Promise<void> {
  const tooLate = setTimeout(() => {
    app.server.closeAllConnections()
  }, DRAIN_MS)
  await app.close()
  clearTimeout(tooLate)
}
