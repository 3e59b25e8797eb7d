import { ApolloServer } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled'
import { fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Logger } from '../../kernel/log.js'
import type { GatewayRefusal, GuardedRequest, GuardHook } from '../guard-hook.js'
import type { SupergraphExecutor } from '../supergraph.js'
import type { GraphqlContext } from './context.js'
import { formatError, graphqlRefusal, parserRefusal } from './errors.js'
import { graphOf, visibleErrors } from './graph.js'
import { asksForPage, mountGraphiql } from './graphiql.js'
import { knownQueries, type KnownQueries } from './known-queries.js'
import { operationPlugin } from './operation-plugin.js'
import { QUERY_LIMITS } from './query-limits.js'
import { secretLiteralsRule } from './secret-literals.js'

const PATH = '/graphql'

/** Apollo answers 405 itself to those that GraphQL does not use. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * Mounts GraphQL over HTTP at `/graphql`, and GraphiQL for a browser that asks there for a page. Each request is guarded
 * before its body is read; documents are parsed and validated once.
 * @returns what ends it
 */
export async function mountGraphql(
  app: FastifyInstance,
  deps: { supergraph: SupergraphExecutor; guard: GuardHook; log: Logger; fingerprintKey: Buffer },
): Promise<{ stop: () => Promise<void> }> {
  const known = knownQueries(deps.supergraph, (errors, requestId) => visibleErrors(errors, requestId, deps.log))
  const apollo = createApollo(deps, known)
  await apollo.start()
  const answerByApollo = fastifyApolloHandler<GraphqlContext>(apollo, {
    context: ({ id, headers, caller }: GuardedRequest) => {
      if (!caller) throw new Error('a GraphQL request ran without its guard')
      return Promise.resolve({ request: { caller, requestId: id, headers } })
    },
  }) as RouteHandlerMethod
  const sendPage = mountGraphiql(app)
  app.route({
    method: [...METHODS],
    url: PATH,
    onRequest: async (request: GuardedRequest, reply) => {
      if (asksForPage(request)) return sendPage(request, reply)
      const answered = await deps.guard(request, reply, {
        refused: (refusal) => sendRefusal(reply, refusal),
        // GraphQL clients have one answer for all keys that are no good.
        unauthorized: (forbidden) => sendRefusal(reply, forbidden),
      })
      return answered ? reply : undefined
    },
    errorHandler: (error: FastifyError, request, reply) => {
      void sendFailure(error, request, reply, deps.log)
    },
    async handler(request: GuardedRequest, reply) {
      return (await known.answer(request, reply)) ? reply : answerByApollo.call(this, request, reply)
    },
  })
  return { stop: () => apollo.stop() }
}

function createApollo(
  { supergraph, log, fingerprintKey }: { supergraph: SupergraphExecutor; log: Logger; fingerprintKey: Buffer },
  known: KnownQueries,
): ApolloServer<GraphqlContext> {
  return new ApolloServer<GraphqlContext>({
    gateway: graphOf(supergraph, log),
    introspection: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    // A request with a key cannot come from a form or an image: the browser asks first, as for Apollo's own headers.
    csrfPrevention: { requestHeaders: ['x-api-key', 'x-apollo-operation-name', 'apollo-require-preflight'] },
    validationRules: [secretLiteralsRule],
    parseOptions: { maxTokens: QUERY_LIMITS.tokens, noLocation: false },
    includeStacktraceInErrorResponses: false,
    formatError,
    stringifyResult: (result) => JSON.stringify(result),
    stopOnTerminationSignals: false,
    nodeEnv: 'production',
    logger: {
      debug: (message: unknown) => {
        log.debug(String(message))
      },
      info: (message: unknown) => {
        log.info(String(message))
      },
      warn: (message: unknown) => {
        log.warn(String(message))
      },
      error: (message: unknown) => {
        log.error(String(message))
      },
    },
    plugins: [
      operationPlugin(supergraph.apiSchema, fingerprintKey, known.remember),
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  })
}

function sendRefusal(reply: FastifyReply, refusal: GatewayRefusal): FastifyReply {
  const code = refusal.code === 403 ? 'UNAUTHENTICATED' : 'RATE_LIMITED'
  return reply.code(refusal.code).send({ ...refusal, ...graphqlRefusal(code, refusal.message) })
}

function sendFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
  const refusal = parserRefusal(error)
  if (refusal) return reply.code(refusal.http).send(refusal.body)
  log.error({ requestId: request.id, err: error }, 'a GraphQL request failed')
  return reply
    .code(500)
    .send(graphqlRefusal('SERVER_ERROR', `Something went wrong on our side (request ${request.id}).`))
}
