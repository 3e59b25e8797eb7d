import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GraphQLError } from 'graphql'
import { documentBytes, documentLru } from '../../kernel/document-size.js'
import type { AuthenticatedRequest } from '../authentication/hook.js'
import type { PreparedOperation } from '../operation.js'
import { tellOutcome } from '../request-log.js'
import type { SupergraphExecutor } from '../supergraph.js'
import type { Admission } from '../admission.js'
import { answerCost } from './answer-cost.js'
import { formatError } from './errors.js'
import type { QueryMeasure } from './measure-query.js'
import { isWithinRate, type RefuseByRate } from './new-documents.js'
import { limitProblem } from './query-limits.js'

/** How much is kept of queries, their texts and parsed. */
const QUERIES_MAX_BYTES = 32 * 1024 * 1024

/** A query that is ready to run. */
export interface CachedDocument {
  operation: PreparedOperation
  /** What it counts against its key's rate, and by what, with the variables that a client has sent. */
  measureWith: (variables: Readonly<Record<string, unknown>>) => QueryMeasure
}

/**
 * The cache of documents: queries that Apollo Server has answered before: parsed and validated. What
 * is left to do for them is to run them, so they are spared the rest of Apollo's pipeline, which is half of a short
 * query's cost. Mutations and everything out of the ordinary always go through it.
 */
export interface DocumentCache {
  remember: (query: string, operationName: string | undefined, known: CachedDocument) => void
  /**
   * Answers a request for a cached query as Apollo would.
   * @returns false where the request is not one
   * @throws too_many_operations, provider_timeout where its tenant's queue is full
   */
  answer: (request: AuthenticatedRequest, reply: FastifyReply) => Promise<boolean>
}

/** How cached queries are answered besides with their data. */
interface Answers {
  /** What a caller may see of the errors of an operation that was run. */
  show: (errors: readonly GraphQLError[], requestId: string) => GraphQLError[]
  refuse: RefuseByRate
}

/** An empty cache. */
export function graphqlDocumentCache(
  supergraph: SupergraphExecutor,
  admission: Admission,
  { show, refuse }: Answers,
): DocumentCache {
  const known = documentLru<CachedDocument>(QUERIES_MAX_BYTES)
  return {
    remember: (query, operationName, cached) => {
      const { kind, document } = cached.operation
      if (kind !== 'query') return
      const key = keyOf(query, operationName)
      known.set(key, cached, { size: documentBytes(key, document) })
    },
    answer: async (request, reply) => {
      const asked = plainQuery(request)
      const found = asked && known.get(keyOf(asked.query, asked.operationName))
      if (!found || !request.caller) return false
      const { operation } = found
      const measured = found.measureWith(asked.variables)
      if (limitProblem(measured)) return false
      const { weight } = measured
      if (weight > 1 && !(await isWithinRate({ admission, refuse }, request, reply, weight))) return true
      const context = { caller: request.caller, requestId: request.id }
      const weighed = { kind: operation.kind, weight, ...supergraph.placeOf(operation) }
      const { data, errors } = await admission.run(weighed, context, (paced) =>
        supergraph.execute(operation, asked.variables, paced),
      )
      // Nothing was run, for a variable of the wrong type: Apollo knows how to say that, and counts nothing more.
      if (data === undefined) {
        request.isOperationCounted = true
        request.counted = 1
        return false
      }
      const shown = errors && show(errors, request.id).map((error) => formatError(error.toJSON()))
      if (shown?.[0]) tellOutcome(reply, String(shown[0].extensions?.['code']).toLowerCase())
      reply.header('content-type', 'application/json; charset=utf-8')
      const cost = answerCost({ rate: request.rate }, measured, data)
      reply.send(JSON.stringify({ ...(shown && { errors: shown }), data, extensions: { cost } }))
      return true
    },
  }
}

interface PlainQuery {
  query: string
  operationName: string | undefined
  variables: Record<string, unknown>
}

/** A POST of JSON whose answer is to be plain JSON, with a query, its name and variables, and nothing besides. */
function plainQuery({ method, headers, body }: FastifyRequest): PlainQuery | undefined {
  if (method !== 'POST' || !headers['content-type']?.startsWith('application/json')) return undefined
  if (headers.accept !== undefined && !/^(\*\/\*|application\/json)$/.test(headers.accept)) return undefined
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const { query, operationName, variables, ...rest } = body as Record<string, unknown>
  if (typeof query !== 'string' || Object.keys(rest).length > 0) return undefined
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return undefined
  if (variables !== undefined && variables !== null && (typeof variables !== 'object' || Array.isArray(variables))) {
    return undefined
  }
  return { query, operationName: operationName ?? undefined, variables: (variables ?? {}) as Record<string, unknown> }
}

function keyOf(query: string, operationName: string | undefined): string {
  return `${operationName ?? ''}\u0000${query}`
}
