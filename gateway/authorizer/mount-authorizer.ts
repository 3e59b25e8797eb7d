import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseJson } from '../../kernel/json.js'
import { graphqlRefusal } from '../graphql/errors.js'
import { requestIdOf } from '../request.js'
import { authorize, SIGNED_HEADERS, type AuthorizerDeps, type RoutedRequest } from './authorize.js'

/** A client's body, as text within JSON, and its headers. */
const BODY_LIMIT_BYTES = 1024 * 1024

/** What Apollo's router tells a coprocessor of a request: its external coprocessing protocol, version 1. */
const COPROCESSOR_REQUEST = z.looseObject({
  version: z.literal(1),
  stage: z.literal('RouterRequest'),
  headers: z.record(z.string(), z.array(z.string())),
  body: z.unknown(),
})
type CoprocessorRequest = z.infer<typeof COPROCESSOR_REQUEST>

/**
 * Mounts what routers of other makes ask before they pass a request on to our subgraphs:
 * - `GET` or `POST /authorize` with the client's headers, and its GraphQL request as the body where it has one. 200 has the
 *   signed headers, as headers and as JSON; any other status and body is what the client is to be answered.
 * - `POST /coprocessor`, the same as the router of Apollo asks it.
 */
export function mountAuthorizer(app: FastifyInstance, deps: AuthorizerDeps): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/authorize',
    bodyLimit: BODY_LIMIT_BYTES,
    handler: async (request, reply) => {
      const { raw, headers, ip: address, id: requestId, body } = request
      const decided = await authorize(deps, { rawHeaders: raw.rawHeaders, headers, address, requestId, body })
      reply.headers(decided.shown)
      if (decided.kind === 'refused') return reply.code(decided.status).send(decided.body)
      return reply.headers(decided.signed).send({ headers: decided.signed })
    },
  })
  app.route({
    method: 'POST',
    url: '/coprocessor',
    bodyLimit: BODY_LIMIT_BYTES,
    handler: (request, reply) => answerCoprocessor(deps, request, reply),
  })
}

async function answerCoprocessor(
  deps: AuthorizerDeps,
  { body, ip, id }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const read = COPROCESSOR_REQUEST.safeParse(body)
  if (!read.success) {
    return reply.code(400).send(graphqlRefusal('BAD_REQUEST', 'This is no RouterRequest of a coprocessor.'))
  }
  const decided = await authorize(deps, routedRequest(read.data, ip, id))
  if (decided.kind === 'refused') {
    const headers = listed({ ...decided.shown, 'content-type': 'application/json' })
    // At this stage the router takes bodies as text.
    const answer = JSON.stringify(decided.body)
    return reply.send({ ...read.data, control: { break: decided.status }, headers, body: answer })
  }
  const kept = Object.entries(read.data.headers).filter(([name]) => !isSigned(name))
  return reply.send({ ...read.data, headers: { ...Object.fromEntries(kept), ...listed(decided.signed) } })
}

/** The router has read the headers already: their names are in lower case, whatever the client wrote. */
function routedRequest({ headers, body }: CoprocessorRequest, address: string, ownId: string): RoutedRequest {
  const read = Object.entries(headers).map(([name, values]) => [name.toLowerCase(), values] as const)
  const named = Object.fromEntries(read.map(([name, values]) => [name, values.join(', ')]))
  const rawHeaders = read.flatMap(([name, values]) => values.flatMap((value) => [name, value]))
  const requestId = requestIdOf(named, () => ownId)
  const sent = typeof body === 'string' ? parseJson(body) : body
  return { rawHeaders, headers: named, address, requestId, body: sent }
}

function isSigned(name: string): boolean {
  return (SIGNED_HEADERS as readonly string[]).includes(name.toLowerCase())
}

function listed(headers: Readonly<Partial<Record<string, string>>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? '']]))
}
