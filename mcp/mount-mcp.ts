import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AuthenticatedRequest, AuthenticationHook } from '../gateway/authentication/hook.js'
import { tellOutcome } from '../gateway/request-log.js'
import { ERRORS } from '../kernel/errors.js'
import type { Logger } from '../kernel/log.js'
import { answerMessage, RPC_ERRORS, rpcFailure, VERSIONS, type ProtocolDeps } from './protocol.js'

/** What the door to the tools needs besides. */
export interface McpDeps extends ProtocolDeps {
  authenticate: AuthenticationHook
  log: Logger
  /** Whether tools that change something are there for nobody. */
  isReadOnly: boolean
  /** Pages of this address alone may call it from a browser. */
  publicUrl: string
}

/** What the parser refuses besides a text that is no JSON, by the HTTP status: the word of the log, and the answer. */
const PARSER_REFUSALS: Readonly<Record<number, readonly [string, (typeof RPC_ERRORS)[keyof typeof RPC_ERRORS]]>> = {
  413: ['payload_too_large', RPC_ERRORS.tooLarge],
  415: ['unsupported_media_type', RPC_ERRORS.mediaType],
}

/**
 * Mounts `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions. Each message is answered in JSON.
 * `?read_only=true` leaves out what changes something.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
export function mountMcp(app: FastifyInstance, deps: McpDeps): void {
  app.route<{ Querystring: Record<string, unknown> }>({
    method: 'POST',
    url: '/mcp',
    onRequest: async (request: AuthenticatedRequest, reply) =>
      (await isLetIn(deps, request, reply)) ? undefined : reply,
    errorHandler: (error, request, reply) => {
      // The parser's refusals have a status below 500; what has none was not foreseen.
      const http = (error as { statusCode?: number }).statusCode ?? 500
      if (http >= 500) deps.log.error({ requestId: request.id, err: error, route: '/mcp' }, 'a route failed')
      const [word, refusal] = PARSER_REFUSALS[http] ?? ['bad_request', RPC_ERRORS.parse]
      const message = `${ERRORS.server_error.message} Request id: ${request.id}.`
      tellOutcome(reply, http >= 500 ? 'server_error' : word)
      void reply.code(http).send(rpcFailure(null, http >= 500 ? { code: -32_603, message } : refusal))
    },
    handler: async (request: AuthenticatedRequest, reply) => {
      const { caller, id: requestId, query, body } = request
      if (!caller) throw new Error('a route was not authenticated')
      const asked = (query as Record<string, unknown>)['read_only']
      // Whoever asks for it in whatever words gets it: it must not fail open.
      const isReadOnly = deps.isReadOnly || (asked !== undefined && asked !== 'false')
      const answer = await answerMessage(deps, { caller, requestId, isReadOnly }, body)
      if (answer) return reply.send(answer)
      return reply.code(202).send()
    },
  })
  app.route({
    method: ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'],
    url: '/mcp',
    // There are no streams and no sessions to end.
    onRequest: async (_request, reply) =>
      reply.code(405).header('allow', 'POST').send(rpcFailure(null, RPC_ERRORS.method)),
    handler: () => undefined,
  })
}

/** Whether a request is from where it may be, of a version that is spoken, and has a good key; otherwise it is answered. */
async function isLetIn(deps: McpDeps, request: AuthenticatedRequest, reply: FastifyReply): Promise<boolean> {
  const { origin, 'mcp-protocol-version': version } = request.headers
  const refuse = (http: number, message: string): false => {
    tellOutcome(reply, http === 401 ? 'unauthorized' : http === 429 ? 'rate_limited' : 'refused')
    void reply.code(http).send(rpcFailure(null, { code: RPC_ERRORS.request.code, message }))
    return false
  }
  // A page of another site must not use what its visitor can reach.
  if (origin !== undefined && origin !== new URL(deps.publicUrl).origin) return refuse(403, `Not from ${origin}.`)
  if (version !== undefined && !VERSIONS.includes(String(version)))
    return refuse(400, `Spoken are ${VERSIONS.join(', ')}.`)
  const outcome = await deps.authenticate(request, reply, {
    refused: (refusal) =>
      refuse(refusal.code, refusal.hint === undefined ? refusal.message : `${refusal.message} ${refusal.hint}`),
    unauthorized: () => refuse(401, ERRORS.unauthorized.message),
  })
  return outcome === 'admitted'
}
