import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { parse, validate, type DocumentNode, type GraphQLSchema } from 'graphql'
import type { LRUCache } from 'lru-cache'
import { ANSWER_MAX_BYTES, isLargerThan } from './answer-size.js'
import type { Clock } from './clock.js'
import { documentBytes, documentLru } from './document-size.js'
import { AppError } from './errors.js'
import { mountHealth } from './http-door.js'
import type { RequestContext, RunningSubgraph, SubgraphResult } from './subgraph.js'
import { verifyCaller, type Caller } from './tenant.js'
import { inTraceOf } from './tracing.js'

/** The headers between gateway and subgraphs. */
export const TENANT_CONTEXT = 'x-tenant-context'
export const REQUEST_ID = 'x-request-id'
export const IDEMPOTENCY_KEY = 'idempotency-key'
export const IDEMPOTENCY_FINGERPRINT = 'x-idempotency-fingerprint'
export const YIELDS_TO_OTHERS = 'x-takes-turns'

/** How much stays parsed and validated of the documents of one subgraph; the gateway's plans repeat. */
const DOCUMENTS_MAX_BYTES = 16 * 1024 * 1024

/** The gateway's documents are larger than a client's, as entities are asked for in bulk. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024

type Request = FastifyRequest & { caller?: Caller }

/** A GraphQL request; the gateway is trusted to send its form. */
interface GraphqlBody {
  query: string
  operationName?: string
  variables?: Record<string, unknown>
}

/**
 * Subgraphs as an HTTP server of their own: POST /<name>/graphql with a tenant context that the gateway has signed.
 * Whatever comes without one is refused before its body is read.
 */
export function subgraphServer(options: {
  subgraphs: Readonly<Record<string, Pick<RunningSubgraph, 'schema' | 'execute'>>>
  signingKey: Buffer
  clock: Clock
  isReady: () => Promise<boolean>
}): FastifyInstance {
  const { subgraphs, signingKey, clock, isReady } = options
  const app = fastify({ bodyLimit: BODY_LIMIT_BYTES, forceCloseConnections: 'idle' })
  mountHealth(app, isReady)
  for (const [name, subgraph] of Object.entries(subgraphs)) {
    const prepare = documents(subgraph.schema)
    app.post(`/${name}/graphql`, {
      onRequest: async (request: Request, reply) => {
        const caller = verifyCaller(String(request.headers[TENANT_CONTEXT] ?? ''), signingKey, clock)
        if (!caller) return reply.code(401).send(refusal('The tenant context is not signed by the gateway.'))
        request.caller = caller
        const { [IDEMPOTENCY_KEY]: key, [IDEMPOTENCY_FINGERPRINT]: fingerprint } = request.headers
        // Passed over, the key would let the work be done twice.
        if (key !== undefined && fingerprint === undefined) {
          return reply.code(400).send(refusal('An idempotency key has to come with its fingerprint.', 'BAD_REQUEST'))
        }
        return undefined
      },
      handler: (request: Request, reply) => inTraceOf(request.headers, () => answer(subgraph, prepare, request, reply)),
    })
  }
  return app
}

async function answer(
  { execute }: Pick<RunningSubgraph, 'execute'>,
  prepare: (query: string) => Prepared,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { query, operationName, variables } = request.body as GraphqlBody
  const prepared = prepare(query)
  if ('errors' in prepared) return reply.send(prepared)
  const outcome = { replayed: false }
  const context = contextOf(request, () => {
    outcome.replayed = true
  })
  const result: SubgraphResult = await execute({ document: prepared.document, operationName, variables, context })
  if (isLargerThan(result.data, ANSWER_MAX_BYTES)) return reply.send(answerTooLarge())
  return reply.send(outcome.replayed ? { ...result, extensions: { idempotentReplayed: true } } : result)
}

function contextOf({ caller, headers, id }: Request, onReplay: () => void): RequestContext {
  if (!caller) throw new Error('a subgraph request was not authenticated')
  const key = headers[IDEMPOTENCY_KEY]
  const fingerprint = headers[IDEMPOTENCY_FINGERPRINT]
  return {
    caller,
    requestId: String(headers[REQUEST_ID] ?? id),
    ...(headers[YIELDS_TO_OTHERS] !== undefined && { yieldsToOthers: true }),
    ...(typeof key === 'string' && typeof fingerprint === 'string' && { idempotency: { key, fingerprint, onReplay } }),
  }
}

function refusal(message: string, code = 'UNAUTHENTICATED'): object {
  return { errors: [{ message, extensions: { code } }] }
}

function answerTooLarge(): object {
  const { message, extensions } = new AppError('answer_too_large')
  return { data: null, errors: [{ message, extensions }] }
}

export type Prepared = { document: DocumentNode } | { errors: object[] }

/**
 * Parses and validates each document once; gives the errors of one that is not valid.
 * @param known what is kept of the documents
 */
export function documents(
  schema: GraphQLSchema,
  known: LRUCache<string, Prepared> = documentLru(DOCUMENTS_MAX_BYTES),
): (query: string) => Prepared {
  return (query) => {
    const seen = known.get(query)
    if (seen) return seen
    // Places in the text would take half of the memory, and the gateway leaves them out.
    const document = parse(query, { noLocation: true })
    const errors = validate(schema, document)
    const prepared = errors.length > 0 ? { errors: errors.map((error) => error.toJSON()) } : { document }
    known.set(query, prepared, { size: documentBytes(query, document) })
    return prepared
  }
}
