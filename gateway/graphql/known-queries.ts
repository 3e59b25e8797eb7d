import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GraphQLError } from 'graphql'
import type { GuardedRequest } from '../guard-hook.js'
import { lruMap } from '../guard/lru-map.js'
import type { PreparedOperation } from '../operation.js'
import type { SupergraphExecutor } from '../supergraph.js'
import { formatError } from './errors.js'

/** How many queries are known. */
const QUERIES_MAX = 1000
/** Longer ones are not kept: the texts are the keys. */
const LENGTH_MAX = 20_000

/**
 * Queries that Apollo Server has answered before: parsed, validated, and within the limits whatever their variables. What
 * is left to do for them is to run them, so they are spared the rest of Apollo's pipeline, which is half of a short
 * query's cost. Mutations and everything out of the ordinary always go through it.
 */
export interface KnownQueries {
  remember: (query: string, operationName: string | undefined, operation: PreparedOperation) => void
  /** Answers a request for a known query as Apollo would. @returns false where the request is not one */
  answer: (request: GuardedRequest, reply: FastifyReply) => Promise<boolean>
}

/** @param show what a caller may see of the errors of an operation that was run */
export function knownQueries(
  supergraph: SupergraphExecutor,
  show: (errors: readonly GraphQLError[], requestId: string) => GraphQLError[],
): KnownQueries {
  const known = lruMap<PreparedOperation>(QUERIES_MAX)
  return {
    remember: (query, operationName, operation) => {
      if (operation.kind === 'query' && query.length <= LENGTH_MAX) known.set(keyOf(query, operationName), operation)
    },
    answer: async (request, reply) => {
      const asked = plainQuery(request)
      const operation = asked && known.get(keyOf(asked.query, asked.operationName))
      if (!operation || !request.caller) return false
      const context = { caller: request.caller, requestId: request.id }
      const { data, errors } = await supergraph.execute(operation, asked.variables, context)
      // Nothing was run, for a variable of the wrong type: Apollo knows how to say that.
      if (data === undefined) return false
      const shown = errors && show(errors, request.id).map((error) => formatError(error.toJSON()))
      reply.header('content-type', 'application/json; charset=utf-8')
      reply.send(JSON.stringify({ ...(shown && { errors: shown }), data }))
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
