import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
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
export function createHttpServer(
  health: Health,
  newId: () => string,
  notFound: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>,
): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: 'idle',
    genReqId: (request) => requestIdOf(request.headers, newId),
    requestTimeout: 60_000,
    return503OnClosing: false,
    // A path that cannot be decoded is none of ours.
    frameworkErrors: (_error, request, reply) => {
      void notFound(request, reply)
    },
    routerOptions: { maxParamLength: 512 },
  })
  // JSON only: what else comes is refused as a media type, not guessed at.
  app.removeContentTypeParser('text/plain')
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Many clients announce JSON with every request. Whether a body is needed is the route's to say.
    if (body === '') done(null, undefined)
    else void parse(request, body, done)
  })
  app.setNotFoundHandler((request, reply) => {
    void notFound(request, reply)
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // Before the body is read: whatever it is, the path is wrong.
    if (request.is404) void notFound(request, reply)
    else done()
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
