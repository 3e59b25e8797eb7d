import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { parse, validate, type DocumentNode, type GraphQLSchema } from 'graphql'
import type { Clock } from './clock.js'
import type { RequestContext, RunningSubgraph, SubgraphResult } from './subgraph.js'
import { verifyCaller, type Caller } from './tenant.js'

/** The headers between gateway and subgraphs. */
export const TENANT_CONTEXT = 'x-tenant-context'
export const REQUEST_ID = 'x-request-id'
export const IDEMPOTENCY_KEY = 'idempotency-key'
export const IDEMPOTENCY_FINGERPRINT = 'x-idempotency-fingerprint'

/** How many documents stay parsed and validated; the gateway's plans repeat. */
const DOCUMENTS_MAX = 2000

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
}): FastifyInstance {
  const { subgraphs, signingKey, clock } = options
  const app = fastify({ bodyLimit: BODY_LIMIT_BYTES, forceCloseConnections: 'idle' })
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', (_request, reply) => reply.send({ status: 'ready' }))
  for (const [name, subgraph] of Object.entries(subgraphs)) {
    const prepare = documents(subgraph.schema)
    app.post(`/${name}/graphql`, {
      onRequest: async (request: Request, reply) => {
        const caller = verifyCaller(String(request.headers[TENANT_CONTEXT] ?? ''), signingKey, clock)
        if (!caller) return reply.code(401).send(refusal('The tenant context is not signed by the gateway.'))
        request.caller = caller
        return undefined
      },
      handler: (request: Request, reply) => answer(subgraph, prepare, request, reply),
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
  return reply.send(outcome.replayed ? { ...result, extensions: { idempotentReplayed: true } } : result)
}

function contextOf({ caller, headers, id }: Request, onReplay: () => void): RequestContext {
  if (!caller) throw new Error('a subgraph was asked without its guard')
  const key = headers[IDEMPOTENCY_KEY]
  const fingerprint = headers[IDEMPOTENCY_FINGERPRINT]
  return {
    caller,
    requestId: String(headers[REQUEST_ID] ?? id),
    ...(typeof key === 'string' && typeof fingerprint === 'string' && { idempotency: { key, fingerprint, onReplay } }),
  }
}

function refusal(message: string): object {
  return { errors: [{ message, extensions: { code: 'UNAUTHENTICATED' } }] }
}

type Prepared = { document: DocumentNode } | { errors: object[] }

/** Parses and validates each document once; gives the errors of one that is not valid. */
function documents(schema: GraphQLSchema): (query: string) => Prepared {
  const known = new Map<string, Prepared>()
  return (query) => {
    const seen = known.get(query)
    if (seen) return seen
    const document = parse(query)
    const errors = validate(schema, document)
    const prepared = errors.length > 0 ? { errors: errors.map((error) => error.toJSON()) } : { document }
    if (known.size >= DOCUMENTS_MAX) known.clear()
    known.set(query, prepared)
    return prepared
  }
}
