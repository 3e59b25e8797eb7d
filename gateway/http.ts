import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import fastify, {
  errorCodes,
  type ConnectionError,
  type FastifyBodyParser,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { mountHealth } from '../kernel/http-door.js'
import { ERRORS, type ErrorCode } from '../kernel/errors.js'
import { parseJson } from '../kernel/json.js'
import { isInOtherCharset } from './charset.js'
import { requestIdOf } from './request.js'

/** The largest body that is read: 256 KiB. */
const BODY_LIMIT_BYTES = 256 * 1024

/**
 * How long nothing may pass over a connection, in milliseconds, while an answer is made or taken: twice of what the longest mutation has. An
 * answer stays in memory until its client has read it, and one that never reads would be sent others on further connections.
 */
const SILENCE_MAX_MS = 120_000

/**
 * The HTTP server of the gateway: request ids, health, and nothing of its own besides. No cache keeps an answer whose route
 * does not say otherwise.
 * @param isReady asked before it says that it is ready
 * @param parts.observe hooks that see every request, one to an unknown path too, which no later hook does
 * @param parts.silenceMaxMs after which a connection is ended over which nothing passes; two minutes where left out
 * @param trustedProxies addresses and networks whose `X-Forwarded-For` tells the caller's address
 */
export function createHttpServer(
  isReady: () => Promise<boolean>,
  newId: () => string,
  parts: {
    notFound: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>
    /** Answers what went wrong on a route that does not do so itself, the reading of its body included. */
    failed: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void
    observe?: (app: FastifyInstance) => void
    silenceMaxMs?: number
  },
  trustedProxies: readonly string[] = [],
): FastifyInstance {
  const { notFound, failed, observe, silenceMaxMs = SILENCE_MAX_MS } = parts
  const app = fastify({
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: 'idle',
    genReqId: (request) => requestIdOf(request.headers, newId),
    requestTimeout: 60_000,
    connectionTimeout: silenceMaxMs,
    return503OnClosing: false,
    clientErrorHandler: refuseConnection,
    // A path that cannot be decoded is none of ours.
    frameworkErrors: (_error, request, reply) => {
      reply.header('cache-control', 'no-store')
      void notFound(request, reply)
    },
    routerOptions: { maxParamLength: 512 },
  })
  // JSON only: what else comes is refused as a media type, not guessed at.
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, jsonParser(app))
  app.setNotFoundHandler((request, reply) => {
    void notFound(request, reply)
  })
  app.setErrorHandler(failed)
  observe?.(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    // Before the body is read: whatever it is, the path is wrong.
    if (request.is404) void notFound(request, reply)
    else done()
  })
  mountHealth(app, isReady)
  return app
}

/**
 * Reads a body without what would change prototypes (`__proto__`, `constructor.prototype`). Fastify's own parser looks for it
 * by patterns of all spellings, which takes as long as the parsing; few bodies have one of them.
 */
function jsonParser(app: FastifyInstance): FastifyBodyParser<string> {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  return (request, body, done) => {
    // Many clients announce JSON with every request. Whether a body is needed is the route's to say.
    if (body === '') done(null, undefined)
    else if (isMisread(request.headers['content-type'], body)) done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE())
    else {
      const plain = plainJson(body)
      if (plain === undefined) void parse(request, body, done)
      else done(null, plain)
    }
  }
}

/** Whether a body was read as another text than was sent. What is ASCII alone is the same in all charsets that senders name. */
function isMisread(contentType: string | undefined, body: string): boolean {
  return isInOtherCharset(contentType) && /[^\0-\x7f]/.test(body)
}

/** What a text is in JSON; undefined where it is none, or may have names that have to be removed. */
function plainJson(text: string): unknown {
  if (text.includes('\\u') || text.includes('__proto__') || text.includes('constructor')) return undefined
  return parseJson(text)
}

/** What Node's parser gives up: there is no request that a route could answer, so the answer is written by hand. */
function refuseConnection(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const code: ErrorCode = CONNECTION_CODES[error.code] ?? 'bad_request'
  const { http: statusCode, message } = ERRORS[code]
  const body = JSON.stringify({ statusCode, success: false, status: code, message })
  const lines = [
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    'cache-control: no-store',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

const CONNECTION_CODES: Readonly<Partial<Record<string, ErrorCode>>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}
